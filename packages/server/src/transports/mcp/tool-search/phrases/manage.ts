export const managePhrases = `
manage_create_file: new spreadsheet, workbook or excel file | 新建表格 | 建一个表
| start a blank spreadsheet for the household budget | I want to track my expenses | 开个空白表记账 | 做个预算表 | 弄一个新表 | 新建excel
| I need a table for my expenses | make a timetable | set up a stock list | 做个课程表 | 弄个库存表 | 来个记账的表
manage_list_files: my spreadsheets | which tables do I have | 我有哪些表格 | 最近的表格
| what have I got in terms of spreadsheets | all workbooks | deleted spreadsheets | 我都有哪些表 | 列出所有表格 | 表格清单 | 删掉的表格在哪
manage_search_file: find a spreadsheet or workbook | 找表格 | 搜表格 | where is the budget sheet
| the spreadsheet with the sales of last year | 预算表在哪 | 找去年的销售表 | 哪个表里有这个客户
manage_query_file_info: when was the workbook last changed | who owns this spreadsheet | what may I do with this sheet
| 这个表是谁的 | 表格最后什么时候改的 | 表格信息
manage_rename_file: rename a spreadsheet or file | give a workbook another name or title | 表格改名 | 给表格换个名字
| the spreadsheet should be called Budget 2026 | 表格改叫 | 工作簿换个标题 | 表名写错了
manage_copy_file: duplicate or copy a spreadsheet | 复制一份表格 | 表格副本 | use last year's budget as a template
| one more workbook like this | 照着去年的表再做一份 | 表格再来一份 | 拿这个表当模板 | take the table of last year and make a new one from it
| 把去年的表复制一份今年用
manage_delete_file: delete a spreadsheet | 删除表格 | this workbook can go | I don't need the budget sheet any more
| 这个表不要了 | 把预算表扔了 | 表格删了
manage_restore_file: get a deleted spreadsheet back | 恢复删除的表格 | 表格找回来 | I deleted the budget by accident
| bring my spreadsheet back from the trash | 表格误删了 | 不小心把表删了 | 删掉的表还能回来吗
manage_share_file: let somebody see or edit a spreadsheet or workbook | give access or permission to a sheet
| share with Anna or a colleague | 分享表格 | 让同事编辑表格 | 只能看不能改 | 表格权限 | let my boss look at the budget but not touch it
| Tom should be able to type into the sheet | the accountant needs to see the workbook
| take somebody's access to a spreadsheet away | 表格给老板看 | 让财务也能填这个表 | 开放表格给小王 | 他只能看 | 取消他的表格权限
| Maria should see the budget sheet | 预算表给会计看 | the whole team may only look at the price list | 价目表给全公司看
manage_tag_file: tag or label a spreadsheet | 给表格加标签 | this workbook belongs to finance | 表格贴标签 | 把表归类
manage_create_public_link: anyone, also people without an account, can look at or open a spreadsheet by a link
| publish a sheet | 公开链接 | 没有账号也能看表格 | 生成分享链接 | customers should see the price list without signing in
| a link to the sheet for everyone | send the table to people outside | 表格给外人看 | 不用登录就能看的链接 | 客户直接打开表格 | 生成外链 | 发给客户看表
| a link for customers to the price table | 给客户一个看价格表的链接
manage_list_public_links: which links of this spreadsheet are open to everyone | is this sheet public | 这个表有公开链接吗
| 表格的外链有哪些
manage_end_public_link: a link that was sent should stop working | make a spreadsheet private again | 关闭公开链接 | 链接失效
| 不要再能打开 | customers should not see the price list any more | the link I sent must no longer open
| make the sheet private | 发给客户的网址关了 | 外链失效 | 不想让他们再看 | 收回发出去的链接
manage_announce: show others where I am in the sheet | 让别人看到我在哪
manage_pre_import: upload a large file | a file too big to send | 上传大文件 | 文件太大传不了
manage_import_file: open or import an excel or csv file as a spreadsheet | 导入excel | 打开csv
| turn this Excel attachment into something we can edit here | load my csv
| the workbook of the library should become a spreadsheet | 把excel变成在线表格 | 附件里的表导进来 | csv转成表格 | 库里的工作簿打开编辑
| upload a csv as a new spreadsheet | I have an old xls file, can you open it | import my bank statement csv | 打开我的xls
| 导入银行流水
manage_export_file: download or export a spreadsheet as excel or csv | 导出excel | 下载表格 | send it back to me as an xlsx
| I need the sheet in Excel on my laptop | csv of this tab | 表格发我一份excel | 导成csv | 表格存到电脑 | as an excel file please
| give me the table as a download | 表格下载成excel
manage_upload_image: store a picture for the sheet | 上传图片给表格用
`;
