import { describe, expect, it } from 'vitest';
import { cellErrors } from '../../src/base/values.ts';
import { book, calc } from '../support.ts';

type Case = readonly [formula: string, expected: number | string | boolean | null];

function table(name: string, cases: readonly Case[], cells: Parameters<typeof calc>[1] = {}): void {
  describe(name, () => {
    it.each(cases)('%s gives %s', (formula, expected) => {
      expect(calc(formula, cells)).toBe(expected);
    });
  });
}

table(
  'parts of text',
  [
    ['=LEFT("Sale Price",4)', 'Sale'],
    ['=LEFT("abc")', 'a'],
    ['=LEFT("abc",0)', ''],
    ['=LEFT("abc",99)', 'abc'],
    ['=LEFT("abc",2.9)', 'ab'],
    ['=LEFT("abc",-1)', '#VALUE!'],
    ['=LEFT(12345,2)', '12'],
    ['=LEFT(TRUE,2)', 'TR'],
    ['=LEFT(B1,2)', ''],
    ['=LEFT(A1,2)', '#DIV/0!'],
    ['=RIGHT("abc",2)', 'bc'],
    ['=RIGHT("abc",0)', ''],
    ['=RIGHT("abc")', 'c'],
    ['=RIGHT("abc",-1)', '#VALUE!'],
    ['=MID("Fluid Flow",7,20)', 'Flow'],
    ['=MID("abc",5,2)', ''],
    ['=MID("abc",0,2)', '#VALUE!'],
    ['=MID("abc",1,-1)', '#VALUE!'],
    ['=MID("abc",1.9,1)', 'a'],
    ['=LEN("")', 0],
    ['=LEN(B1)', 0],
    ['=LEN(1/4)', 4],
    ['=LEN("a😀b")', 3],
    ['=MID("a😀b",2,1)', '😀'],
    ['=LEFT("😀😀",1)', '😀'],
    ['=REPLACE("abcdefghijk",6,5,"*")', 'abcde*k'],
    ['=REPLACE("2009",3,2,"10")', '2010'],
    ['=REPLACE("abc",9,1,"x")', 'abcx'],
    ['=REPLACE("abc",0,1,"x")', '#VALUE!'],
    ['=SUBSTITUTE("Quarter 1, 2008","1","2",1)', 'Quarter 2, 2008'],
    ['=SUBSTITUTE("1, 2011","1","2",3)', '1, 2012'],
    ['=SUBSTITUTE("aaa","a","b")', 'bbb'],
    ['=SUBSTITUTE("aaa","","b")', 'aaa'],
    ['=SUBSTITUTE("aaa","A","b")', 'aaa'],
    ['=SUBSTITUTE("aaa","a","b",0)', '#VALUE!'],
    ['=REPT("-",10)', '----------'],
    ['=REPT("ab",2.9)', 'abab'],
    ['=REPT("ab",-1)', '#VALUE!'],
    ['=REPT("",1E+300)', ''],
    ['=REPT("a",32767)=REPT("a",32767)', true],
    ['=REPT("a",32768)', '#VALUE!'],
    ['=REPT("ab",1E+300)', '#VALUE!'],
    ['=LEN(REPT("a",32767)&"")', 32767],
    ['=CONCATENATE(REPT("a",32767),"b")', '#VALUE!'],
    ['=SUBSTITUTE(REPT("a",20000),"a","bb")', '#VALUE!'],
  ],
  { A1: '=1/0' },
);

table('finding', [
  ['=FIND("M","Miriam McGovern")', 1],
  ['=FIND("m","Miriam McGovern")', 6],
  ['=FIND("M","Miriam McGovern",3)', 8],
  ['=FIND("","abc")', 1],
  ['=FIND("","abc",4)', 4],
  ['=FIND("","abc",5)', '#VALUE!'],
  ['=FIND("x","abc")', '#VALUE!'],
  ['=FIND("a","abc",0)', '#VALUE!'],
  ['=FIND("?","a?c")', 2],
  ['=SEARCH("e","Statements",6)', 7],
  ['=SEARCH("MARGIN","Profit Margin")', 8],
  ['=SEARCH("c?e","abcdef")', 3],
  ['=SEARCH("b*e","abcdef")', 2],
  ['=SEARCH("~?","a?c")', 2],
  ['=SEARCH("z","abc")', '#VALUE!'],
  ['=SEARCH("b","😀ab")', 3],
  ['=EXACT("word","Word")', false],
  ['=EXACT(1,"1")', true],
  ['=EXACT(B1,"")', true],
]);

table('letters and codes', [
  ['=UPPER("total")', 'TOTAL'],
  ['=LOWER("E. E. Cummings")', 'e. e. cummings'],
  ['=PROPER("2-way street")', '2-Way Street'],
  ['=PROPER("76BudGet")', '76Budget'],
  ['=PROPER("o\'neil\'s")', "O'Neil'S"],
  ['=UPPER("straße")', 'STRAßE'],
  ['=LOWER("ΟΔΟΣ")', 'οδοσ'],
  ['=TRIM("  First   Quarter ")', 'First Quarter'],
  ['=CLEAN(CHAR(9)&"Monthly"&CHAR(10))', 'Monthly'],
  ['=LEN(CLEAN(CHAR(127)))', 1],
  ['=CHAR(65)', 'A'],
  ['=CHAR(128)', '€'],
  ['=CHAR(255)', 'ÿ'],
  ['=CHAR(0)', '#VALUE!'],
  ['=CHAR(256)', '#VALUE!'],
  ['=CHAR(65.9)', 'A'],
  ['=CODE("A")', 65],
  ['=CODE("€")', 128],
  ['=CODE("")', '#VALUE!'],
  ['=UNICHAR(128512)', '😀'],
  ['=UNICHAR(0)', '#VALUE!'],
  ['=UNICHAR(55296)', '#N/A'],
  ['=UNICHAR(1114112)', '#VALUE!'],
  ['=UNICODE("😀")', 128512],
  ['=UNICODE("")', '#VALUE!'],
  ['=T("Rainfall")', 'Rainfall'],
  ['=T(19)', ''],
  ['=T(TRUE)', ''],
  ['=T(1/0)', '#DIV/0!'],
]);

table(
  'joining',
  [
    ['=CONCAT(A1:B2)', 'a1TRUE'],
    ['=CONCAT(A1:B2,"x",,2)', 'a1TRUEx2'],
    ['=CONCAT(A1,1/0)', '#DIV/0!'],
    ['=TEXTJOIN(", ",TRUE,A1:B2)', 'a, 1, TRUE'],
    ['=TEXTJOIN(", ",FALSE,A1:B2)', 'a, 1, , TRUE'],
    ['=TEXTJOIN(",",,A1:B2)', 'a,1,TRUE'],
    ['=TEXTJOIN({"-","+"},TRUE,"a","b","c","d")', 'a-b+c-d'],
    ['=TEXTJOIN(",",TRUE,REPT("x",32767),"y")', '#VALUE!'],
    ['=CONCATENATE("a",1,TRUE)', 'a1TRUE'],
  ],
  { A1: 'a', B1: 1, B2: true },
);

table('numbers as text', [
  ['=TEXT(1234.567,"$#,##0.00")', '$1,234.57'],
  ['=TEXT(0.285,"0.0%")', '28.5%'],
  ['=TEXT(4.34,"# ?/?")', '4 1/3'],
  ['=TEXT(1234567.8999,"0.00E+00")', '1.23E+06'],
  ['=TEXT(44197.5,"yyyy-mm-dd hh:mm")', '2021-01-01 12:00'],
  ['=TEXT("12.5","0.00")', '12.50'],
  ['=TEXT("abc","0.00")', 'abc'],
  ['=TEXT("abc","""<""@"">""")', '<abc>'],
  ['=TEXT(TRUE,"0")', 'TRUE'],
  ['=TEXT(B1,"0.0")', '0.0'],
  ['=TEXT(5,"")', ''],
  ['=TEXT(-1,"yyyy")', '#VALUE!'],
  ['=TEXT(2958466,"yyyy")', '#VALUE!'],
  ['=TEXT(1,REPT("0",256))', '#VALUE!'],
  ['=TEXT(60,"yyyy-mm-dd")', '1900-02-29'],
  ['=VALUE("$1,000")', 1000],
  ['=VALUE("16:48:00")', 0.7],
  ['=VALUE("")', '#VALUE!'],
  ['=VALUE("3/15")', 45000],
  ['=VALUE(TRUE)', '#VALUE!'],
  ['=VALUE(B1)', 0],
  ['=VALUE("1e3")', 1000],
  ['=NUMBERVALUE("2.500,27",",",".")', 2500.27],
  ['=NUMBERVALUE("3.5%%")', 0.00035],
  ['=NUMBERVALUE("")', 0],
  ['=NUMBERVALUE(" 3 000 ")', 3000],
  ['=NUMBERVALUE("1.2.3")', '#VALUE!'],
  ['=NUMBERVALUE("1.2,3")', '#VALUE!'],
  ['=FIXED(1234.567,1)', '1,234.6'],
  ['=FIXED(1234.567,-1)', '1,230'],
  ['=FIXED(-1234.567,-1,TRUE)', '-1230'],
  ['=FIXED(44.332)', '44.33'],
  ['=FIXED(-0.001)', '0.00'],
  ['=FIXED(1,128)', '#VALUE!'],
  ['=DOLLAR(1234.567)', '$1,234.57'],
  ['=DOLLAR(-1234.567,-2)', '-$1,200'],
  ['=DOLLAR(99.888)', '$99.89'],
  ['=BAHTTEXT(1234)', 'หนึ่งพันสองร้อยสามสิบสี่บาทถ้วน'],
  ['=BAHTTEXT(21.5)', 'ยี่สิบเอ็ดบาทห้าสิบสตางค์'],
  ['=BAHTTEXT(0)', 'ศูนย์บาทถ้วน'],
]);

table('full and half width', [
  ['=ASC("ＥＸＣＥＬ")', 'EXCEL'],
  ['=ASC("エクセル")', 'ｴｸｾﾙ'],
  ['=DBCS("EXCEL")', 'ＥＸＣＥＬ'],
  ['=JIS("ｶﾞ")', 'ガ'],
  ['=LENB("中a")', 3],
  ['=LEFTB("中文",2)', '中'],
  ['=LEFTB("中文",3)', '中 '],
  ['=RIGHTB("中文",2)', '文'],
  ['=MIDB("中文a",3,2)', '文'],
  ['=FINDB("文","中文")', 3],
  ['=SEARCHB("A","中a")', 3],
  ['=SEARCHB("a","ẞa")', 2],
  ['=SEARCHB("a~","ba")', 2],
  ['=REPLACEB("中文",1,2,"x")', 'x文'],
]);

table('cutting at delimiters', [
  ['=TEXTBEFORE("a-b-c","-")', 'a'],
  ['=TEXTBEFORE("a-b-c","-",2)', 'a-b'],
  ['=TEXTBEFORE("a-b-c","-",-1)', 'a-b'],
  ['=TEXTAFTER("a-b-c","-")', 'b-c'],
  ['=TEXTAFTER("a-b-c","-",-1)', 'c'],
  ['=TEXTAFTER("a-b-c","-",3)', '#N/A'],
  ['=TEXTAFTER("a-b-c","-",0)', '#VALUE!'],
  ['=TEXTAFTER("a-b-c","-",99)', '#VALUE!'],
  ['=TEXTAFTER("a-b-c","x",1,0,0,"none")', 'none'],
  ['=TEXTAFTER("a-b-c","x",,,,"none")', 'none'],
  ['=TEXTAFTER("aXb","x",1,1)', 'b'],
  ['=TEXTBEFORE("abc","x",1,0,1)', 'abc'],
  ['=TEXTAFTER("abc","x",-1,0,1)', 'abc'],
  ['=TEXTBEFORE("a,b;c",{",",";"},2)', 'a,b'],
  ['=TEXTAFTER("abc","")', 'abc'],
  ['=TEXTBEFORE("abc","")', ''],
  ['=COLUMNS(TEXTSPLIT("a,b,c",","))', 3],
  ['=INDEX(TEXTSPLIT("a=1;b=2","=",";"),2,2)', '2'],
  ['=COLUMNS(TEXTSPLIT("a,,b",","))', 3],
  ['=COLUMNS(TEXTSPLIT("a,,b",",",,TRUE))', 2],
  ['=INDEX(TEXTSPLIT("a,b;c",",",";"),2,2)', '#N/A'],
  ['=INDEX(TEXTSPLIT("a,b;c",",",";",,,"-"),2,2)', '-'],
  ['=TEXTSPLIT("abc","")', '#VALUE!'],
]);

table('regular expressions', [
  ['=REGEXTEST("alfalfa","a")', true],
  ['=REGEXTEST("alfalfa","^b")', false],
  ['=REGEXTEST("ALFA","alfa")', false],
  ['=REGEXTEST("ALFA","alfa",1)', true],
  ['=REGEXTEST("a","(")', '#VALUE!'],
  ['=REGEXTEST("aa","(a)\\1")', '#VALUE!'],
  ['=REGEXEXTRACT("DylanWilliams","[A-Z][a-z]+")', 'Dylan'],
  ['=COLUMNS(REGEXEXTRACT("DylanWilliams","[A-Z][a-z]+",1))', 2],
  ['=INDEX(REGEXEXTRACT("12-34","(\\d+)-(\\d+)",2),1,2)', '34'],
  ['=REGEXEXTRACT("abc","\\d")', '#N/A'],
  ['=REGEXREPLACE("SoniaBrown","([A-Z][a-z]+)([A-Z][a-z]+)","$2, $1")', 'Brown, Sonia'],
  ['=REGEXREPLACE("a1b2c3","\\d","x",2)', 'a1bxc3'],
  ['=REGEXREPLACE("a1b2c3","\\d","x",-1)', 'a1b2cx'],
  ['=REGEXREPLACE("abc","b","$$")', 'a$c'],
]);

table('values written out', [
  ['=VALUETOTEXT("a""b",1)', '"a""b"'],
  ['=VALUETOTEXT("ab")', 'ab'],
  ['=VALUETOTEXT(1/0)', '#DIV/0!'],
  ['=VALUETOTEXT(1,2)', '#VALUE!'],
  ['=ARRAYTOTEXT({1,"a";TRUE,2.5})', '1, a, TRUE, 2.5'],
  ['=ARRAYTOTEXT({1,"a";TRUE,2.5},1)', '{1,"a";TRUE,2.5}'],
  ['=ENCODEURL("http://x/a b?c=é")', 'http%3A%2F%2Fx%2Fa%20b%3Fc%3D%C3%A9'],
  ['=ENCODEURL("a-b_c.d~e")', 'a-b_c.d~e'],
]);

table('[finding T12] numbers joined to text: written out in up to 20 characters, else with an exponent', [
  ['=1.2345678901234568E-5&""', '1.23456789012346E-05'],
  ['=1.2345678901234567E-4&""', '0.000123456789012346'],
  ['=1.23456789E-5&""', '0.0000123456789'],
  ['=-5.6789012345E-8&""', '-0.000000056789012345'],
  ['=5.67890123456E-8&""', '5.67890123456E-08'],
  ['=1E-18&""', '0.000000000000000001'],
  ['=1E-19&""', '1E-19'],
  ['=1.2345678901234567E+19&""', '12345678901234600000'],
  ['=1.2345678901234567E+20&""', '1.23456789012346E+20'],
  ['=1.2345678901234577E+99&""', '1.2345678901235E+99'],
  ['=2E-50&""', '2E-50'],
  ['=COMPLEX(1/30000,-1/300000,"j")', '3.33333333333333E-05-3.33333333333333E-06j'],
]);

describe('arrays', () => {
  it('spreads a text function over a range', () => {
    const wb = book()
      .fill('A1', [['ab'], ['cde'], [null]])
      .set('B1', '=LEN(A1:A3)');
    expect([wb.value('B1'), wb.value('B2'), wb.value('B3')]).toEqual([2, 3, 0]);
  });

  it('keeps an error in its own element', () => {
    const wb = book().set('A1', cellErrors.na).set('A2', 'x').set('B1', '=UPPER(A1:A2)');
    expect([wb.value('B1'), wb.value('B2')]).toEqual(['#N/A', 'X']);
  });

  it('reads N and T of a range by its first cell, of an array item by item', () => {
    expect(calc('=SUM(N({1,TRUE,"x"}))')).toBe(2);
    expect(calc('=T(A1:A2)', { A1: 'first', A2: 'second' })).toBe('first');
  });
});
