import { describe, expect, it } from 'vitest';
import { book } from '../support.ts';
import { table } from './table.ts';

table('days', [
  ['=DATE(2008,1,1)', 39448],
  ['=DATE(108,1,2)', 39449],
  ['=DATE(2008,14,2)', 39846],
  ['=DATE(2008,-3,2)', 39327],
  ['=DATE(2008,1,-15)', 39432],
  ['=DATE(1900,2,29)', 60],
  ['=DATE(1900,3,0)', 60],
  ['=DATE(1900,3,1)', 61],
  ['=DATE(1900,1,0)', 0],
  ['=DATE(1900,0,1)', '#NUM!'],
  ['=DATE(9999,12,31)', 2958465],
  ['=DATE(9999,12,32)', '#NUM!'],
  ['=DATE(10000,1,1)', '#NUM!'],
  ['=DATE(-1,1,1)', '#NUM!'],
  ['=YEAR(60)', 1900],
  ['=MONTH(60)', 2],
  ['=DAY(60)', 29],
  ['=DAY(0)', 0],
  ['=MONTH(0)', 1],
  ['=YEAR(2958466)', '#NUM!'],
  ['=YEAR(-1)', '#NUM!'],
  ['=YEAR("2008-07-05")', 2008],
  ['=DAY("15-Apr-2011")', 15],
  ['=YEAR("x")', '#VALUE!'],
  ['=DATEVALUE("8/22/2011")', 40777],
  ['=DATEVALUE("22-MAY-2011")', 40685],
  ['=DATEVALUE("2011/02/23")', 40597],
  ['=DATEVALUE("2011-02-23 18:30")', 40597],
  ['=DATEVALUE("5-JUL")', 45112],
  ['=DATEVALUE("40777")', '#VALUE!'],
  ['=DATEVALUE(40777)', '#VALUE!'],
  ['=DATEVALUE("2/30/2011")', '#VALUE!'],
  ['=DAYS("3/15/2021","2/1/2021")', 42],
  ['=DAYS(1.9,3)', -2],
  ['=EDATE(DATE(2011,1,31),1)', 40602],
  ['=EDATE(DATE(2011,1,15),-1)', 40527],
  ['=EDATE(40558,1.9)', 40589],
  ['=EDATE(1,-1)', '#NUM!'],
  ['=EDATE(TRUE,1)', '#VALUE!'],
  ['=EOMONTH(DATE(2011,1,1),1)', 40602],
  ['=EOMONTH(DATE(2011,1,1),-3)', 40482],
  ['=EOMONTH(DATE(1900,2,1),0)', 60],
]);

table('times', [
  ['=TIME(12,0,0)', 0.5],
  ['=TIME(27,0,0)', 0.125],
  ['=TIME(0,750,0)', 0.520833333333333],
  ['=TIME(0,0,2000)', 0.0231481481481481],
  ['=TIME(0,-1,0)', '#NUM!'],
  ['=TIME(32768,0,0)', '#NUM!'],
  ['=TIMEVALUE("2:24 AM")', 0.1],
  ['=TIMEVALUE("22-Aug-2011 6:35 AM")', 0.274305555555556],
  ['=TIMEVALUE("0.5")', '#VALUE!'],
  ['=HOUR(0.75)', 18],
  ['=MINUTE("12:45:00 PM")', 45],
  ['=SECOND("4:48:18 PM")', 18],
  ['=SECOND(0.999999)', 0],
  ['=HOUR(-1)', '#NUM!'],
]);

table('weeks', [
  ['=WEEKDAY(DATE(2008,2,14))', 5],
  ['=WEEKDAY(DATE(2008,2,14),2)', 4],
  ['=WEEKDAY(DATE(2008,2,14),3)', 3],
  ['=WEEKDAY(DATE(2008,2,14),11)', 4],
  ['=WEEKDAY(DATE(2008,2,14),17)', 5],
  ['=WEEKDAY(1)', 1],
  ['=WEEKDAY(0)', 7],
  ['=WEEKDAY(1,4)', '#NUM!'],
  ['=WEEKNUM(DATE(2012,3,9))', 10],
  ['=WEEKNUM(DATE(2012,3,9),2)', 11],
  ['=WEEKNUM(DATE(2016,1,3),21)', 53],
  ['=WEEKNUM(DATE(2012,3,9),3)', '#NUM!'],
  ['=ISOWEEKNUM(DATE(2012,3,9))', 10],
  ['=ISOWEEKNUM(DATE(2021,1,3))', 53],
]);

table(
  'working days',
  [
    ['=NETWORKDAYS(DATE(2012,10,1),DATE(2013,3,1))', 110],
    ['=NETWORKDAYS(DATE(2012,10,1),DATE(2013,3,1),A1)', 109],
    ['=NETWORKDAYS(DATE(2012,10,1),DATE(2013,3,1),A1:A3)', 107],
    ['=NETWORKDAYS(DATE(2013,3,1),DATE(2012,10,1))', -110],
    ['=NETWORKDAYS.INTL(DATE(2006,1,1),DATE(2006,1,31))', 22],
    ['=NETWORKDAYS.INTL(DATE(2006,2,28),DATE(2006,1,31))', -21],
    ['=NETWORKDAYS.INTL(DATE(2006,1,1),DATE(2006,2,1),7,{"2006/1/2","2006/1/16"})', 22],
    ['=NETWORKDAYS.INTL(DATE(2006,1,1),DATE(2006,2,1),"0010001",{"2006/1/2","2006/1/16"})', 20],
    ['=NETWORKDAYS.INTL(DATE(2006,1,1),DATE(2006,2,1),"1111111")', 0],
    ['=NETWORKDAYS.INTL(1,9,8)', '#NUM!'],
    ['=NETWORKDAYS.INTL(1,9,"00000")', '#VALUE!'],
    ['=WORKDAY(DATE(2008,10,1),151)', 39933],
    ['=WORKDAY(DATE(2008,10,1),151,B1:B3)', 39938],
    ['=WORKDAY(DATE(2008,10,1),0)', 39722],
    ['=WORKDAY(DATE(2008,10,6),-1)', 39724],
    ['=WORKDAY.INTL(DATE(2012,1,1),30,0)', '#NUM!'],
    ['=WORKDAY.INTL(DATE(2012,1,1),90,11)', 41013],
    ['=WORKDAY.INTL(DATE(2012,1,1),30,17)', 40944],
    ['=WORKDAY.INTL(DATE(2012,1,1),1,"1111111")', '#VALUE!'],
    ['=WORKDAY(2958460,100)', '#NUM!'],
  ],
  { A1: 41235, A2: 41247, A3: 41295, B1: 39778, B2: 39786, B3: 39834 },
);

table('parts of a year', [
  ['=DAYS360(DATE(2011,1,30),DATE(2011,2,1))', 1],
  ['=DAYS360(DATE(2011,1,1),DATE(2011,12,31))', 360],
  ['=DAYS360(DATE(2011,1,1),DATE(2011,12,31),TRUE)', 359],
  ['=DAYS360(DATE(2011,2,28),DATE(2011,3,31))', 30],
  ['=DAYS360(DATE(2011,2,1),DATE(2011,1,1))', -30],
  ['=YEARFRAC(DATE(2012,1,1),DATE(2012,7,30))', 0.580555555555556],
  ['=YEARFRAC(DATE(2012,1,1),DATE(2012,7,30),1)', 0.576502732240437],
  ['=YEARFRAC(DATE(2012,1,1),DATE(2012,7,30),2)', 0.586111111111111],
  ['=YEARFRAC(DATE(2012,1,1),DATE(2012,7,30),3)', 0.578082191780822],
  ['=YEARFRAC(DATE(2012,1,1),DATE(2012,7,30),4)', 0.580555555555556],
  ['=YEARFRAC(DATE(2012,7,30),DATE(2012,1,1),3)', 0.578082191780822],
  ['=YEARFRAC(DATE(2008,2,29),DATE(2009,2,28),0)', 1],
  ['=YEARFRAC(DATE(2000,1,1),DATE(2004,1,1),1)', 3.99835796387521],
  ['=YEARFRAC(1,2,5)', '#NUM!'],
  ['=DATEDIF(DATE(2001,1,1),DATE(2003,1,1),"Y")', 2],
  ['=DATEDIF(DATE(2001,6,1),DATE(2002,8,15),"D")', 440],
  ['=DATEDIF(DATE(2001,6,1),DATE(2002,8,15),"YD")', 75],
  ['=DATEDIF(DATE(2001,6,1),DATE(2002,8,15),"md")', 14],
  ['=DATEDIF(DATE(2001,6,20),DATE(2002,8,15),"M")', 13],
  ['=DATEDIF(DATE(2001,6,20),DATE(2002,8,15),"YM")', 1],
  ['=DATEDIF(DATE(2001,6,20),DATE(2002,8,15),"MD")', 26],
  ['=DATEDIF(2,1,"D")', '#NUM!'],
  ['=DATEDIF(1,2,"X")', '#NUM!'],
]);

describe('the present', () => {
  it('is what the caller says', () => {
    const wb = book().set('A1', '=NOW()').set('A2', '=TODAY()');
    wb.now = 45_321.75;
    expect(wb.value('A1')).toBe(45_321.75);
    expect(wb.value('A2')).toBe(45_321);
  });
});
