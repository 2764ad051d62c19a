export const sheetPhrases = `
sheet_set_cell_value: put a value into one cell | set a cell | 填一个单元格 | 单元格改成 | change B3 to 12
| put today's date in a cell | type a number into a cell | B3改成12 | 这一格填今天的日期 | 改一个数
sheet_set_range_value: fill many cells anywhere | 填很多格子
sheet_set_range_value_by_csv: paste a table or list | fill in csv text | 粘贴一个表 | 把这段数据贴进去
sheet_get_cell_data: exact values of cells | raw values and formulas | 单元格的原始值 | 取单元格数据
sheet_clear_range_cells: empty or clear cells, keep the look | remove the contents | 清空单元格 | 清掉内容 | 清空
| remove last year's numbers but keep the form | blank out the input cells | 去年的数字清掉留着格式 | 把填的内容清掉
sheet_clear_range_style: remove all formatting | 清除格式 | back to plain text without colors
| get rid of the colors and fonts | 颜色都去掉 | 恢复成默认样式 | 格式不要了
sheet_clear_range_all: wipe cells with their colors | empty and unformat an area | 内容和格式全清 | 全部清除
sheet_set_cell_style: make text bold, italic, bigger or colored
| background or fill color behind cells, titles or headings
| show amounts with two decimals, as percent, currency or date | align, wrap | 加粗 | 改颜色 | 背景色 | 底色 | 字体 | 保留两位小数
| 显示成百分比 | 居中 | make it look nicer | the table is ugly | put a euro or dollar sign in front of amounts
| percent instead of decimals | center the title | paint the row yellow | wrap long text | 弄好看点 | 表头美化一下 | 金额带人民币符号
| 变成日期格式 | 字大一点 | 整行涂黄 | 文字居中 | 数字加千分位 | 太丑了 | round amounts to whole euros | make the second row bold | 第二行加粗
| 四舍五入到整数 | larger letters in the header | white text on blue | show dates as day month year | text in the middle
| currency in dollars | 表头字大一点 | 蓝底白字 | 日期显示成年月日 | 数字靠右 | text is too long, wrap it | all dates should look the same
| 字太长自动换行 | 日期统一成一种样子
sheet_get_cell_style: which color or font has this cell | 单元格是什么颜色 | is this cell bold | what formatting is there
| 这格是不是加粗 | 看看格式
sheet_set_border: draw lines or borders around cells | 加边框 | 画框线 | put a frame around the table
| lines between the cells | thick line below the header | 给表格画上线 | 表格加个框 | 格子之间要有线 | 描个边
sheet_clear_border: remove the lines around cells | no frame | 去掉边框 | 框线不要了 | 线去掉
sheet_merge_cell: merge or join cells into one | one heading across several columns | 合并单元格 | 几个格子并成一个 | 把格子合起来
| title across all columns | make the heading span columns | one big cell | 标题跨几列 | 标题放在中间跨整行 | 几格变一格 | 合并 | B和C合成一个
sheet_unmerge_cell: split merged cells | 拆开合并的单元格 | 取消合并 | take the big cell apart again | 合并的拆回来 | 大格子拆成小格
sheet_get_merged_cells: which cells are merged | 哪些单元格合并了 | 有没有合并单元格
sheet_insert_dimension: insert empty rows, lines or columns | add a column between | make room | 插入空行 | 加两行空行 | 中间加一列
| 插一列 | I need one more column between name and price | leave a blank line above the total | 名字后面加一列 | 上面空一行 | 中间多留几行
| one more row above | new column after the date | 日期后面插一列 | 上面加一行
sheet_delete_dimension: delete or remove rows, lines or columns | get rid of empty rows or lines | 删掉这几行 | 去掉一列 | 删空行
| the empty lines can go | drop the last column | remove blank rows | 空的几行去掉 | 最后一列不要 | 那一列没用删了 | delete row 7
| the column is not needed | 第七行删掉 | 这一列不需要
sheet_move_dimension: move a row or column up, down or elsewhere | 移动行 | 把这一行挪到上面 | 列换个位置
| put the price column before the name | this row should be further up | swap two columns | 价格列放到前面 | 两列对调 | 行往下挪
sheet_set_dimension_size: column width, wider or narrower | row height, taller | 列宽 | 列调宽 | 行高 | 调窄一点
| the column shows hash marks instead of amounts | the text is cut off | I cannot read the whole name, too narrow
| fit the columns to the text | 显示井号 | 字显示不全 | 列太窄了 | 行高一点 | 名字看不全 | 一列拉宽 | columns are too small to read
| make rows taller | 列太小看不见 | 行拉高
sheet_insert_range: insert cells and push the rest down | 插入单元格 | squeeze a cell in | shift cells down | 插一个格子其余下移
| 单元格往下推
sheet_delete_range: delete cells and close the gap | 删除单元格 | take a cell out and move the others up | 删一个格子下面的上移
sheet_set_freeze: freeze panes
| keep the first row, headings or header visible, in place or on screen while scrolling down | 冻结首行 | 滚动时表头不动 | 固定表头
| 往下拉标题还在 | I lose sight of the titles when I scroll | names on the left should stay | 一滚动就看不到标题 | 左边名字一直显示 | 标题钉住
| titles should stay when I scroll | 滚动的时候标题要在
sheet_unset_freeze: unfreeze | the top row should scroll again | 取消冻结 | 不要固定表头了
sheet_set_filter: filter a table | only show some rows | 筛选 | 只看符合条件的行 | 加筛选 | arrows to pick values at the headings
| show just the open orders | hide everything except Berlin | 只留北京的 | 只显示没付款的 | 加筛选按钮
| I only want to see the orders from Berlin | 只要看上海的订单
sheet_remove_filter: remove the filter, show all rows again | 取消筛选 | I only see some of the rows, show everything
| get rid of the filter | 怎么只剩几行了全部显示 | 筛选去掉 | 显示所有行
sheet_update_filter: filter by another value | choose what stays visible | 筛选条件换一个 | 改筛选
sheet_sort_range: sort, order or rank rows by name, date, price or size | largest first | 排序 | 排个序 | 从大到小排 | 按日期排
| newest on top | alphabetical list | cheapest first | put them in order of size | 最新的放上面 | 按字母排 | 最便宜的在前 | 按大小排一下
| 由高到低 | by last name please | highest amount first | put the newest orders at the top | 金额高的在前面 | 按姓氏排
sheet_set_link: make a cell a link | hyperlink | 单元格加超链接 | clicking the cell should open the website | 点一下跳到官网
| 格子里放个网址 | 点这格打开网页
sheet_clear_link: the cell should not be clickable any more | remove a hyperlink | 去掉超链接 | 点了别跳转
sheet_insert_image: put a picture or logo into a sheet | 表格里插图片 | our logo at the top of the sheet | 表格上面放公司标志
| 贴张照片到表里 | a picture of our boat on the first sheet | photo in the table
sheet_find: find a value or text in a spreadsheet | where is it in the sheet | 表格里查找 | 在表里找
| where does the name Anna stand in the table | which cell has 42 | 这个名字在表的哪一格 | 表里有没有这个数 | 定位到某个值
| look for 42 in the sheet | is the name Smith in this table | 表里搜一下这个人
| where does the word discount appear in the workbook | which cell says total | 某个词出现在哪格
sheet_get_sheet_info: how many tabs does this workbook have | names of the tabs | how big is the sheet | 工作簿里有几张表
| 有哪些工作表 | 有几个标签页 | 表有多少行
sheet_add_sheet: new tab or sub-sheet | 新建工作表 | 加一个标签页 | a separate tab for March | another page in the workbook
| 三月份单独一张表 | 再加一个页签
sheet_delete_sheet: remove a tab or sub-sheet | 删除工作表 | we don't need the tab any more | the January page can go
| 这张子表不要了 | 把标签页删了
sheet_rename_sheet: rename a tab | 工作表改名 | the tab should be called March | Sheet1 is a bad name | 标签页叫三月 | 子表换个名字
sheet_move_sheet: put the summary tab in front | change the order of tabs | 汇总表放最前面 | 工作表顺序换一下 | 标签页排到后面
sheet_get_sheet_object_list: which charts, pictures and pivot tables are on this sheet | 这张表上有哪些图表和图片 | 表里有什么对象
sheet_validate_file_data: is the spreadsheet file damaged | 表格数据损坏了吗 | 检查文件完整性
sheet_add_chart: draw a chart, graph, pie, bar, column or line | show numbers by category as a picture | visualize
| 画图表 | 做个饼图 | 柱状图 | 折线图 | 可视化 | show it as a picture, not numbers | how did sales develop, as a curve
| compare the months visually | 用图展示 | 销量走势画出来 | 各月对比做成图 | 看着更直观 | make a diagram from this table
| sales per month as a curve | 用这个表做张图 | 每月销售画成曲线
sheet_delete_chart: remove a chart | 删除图表 | the graph can go | 图删掉 | 这个饼图不要了
sheet_get_charts: which graphs are there | 有哪些图表 | 图是用哪些数据画的
sheet_update_chart: change a chart, its title or colors | 改图表 | turn the pie into bars
| the graph needs another heading | legend at the bottom | bigger labels on the graph | 饼图换成柱状图 | 图的标题改一下 | 图例放下面
| 图表换颜色 | other colors for the graph | add labels to the chart | rename the chart | 图加上标签 | 换成折线图
sheet_add_pivot_table: pivot or cross table by month and region | 透视表 | 交叉汇总 | 按月份和地区汇总
| sums by product across months in a grid | 每个产品每个月的汇总表 | 按部门和季度交叉统计 | make a pivot table | 做数据透视表
sheet_remove_pivot_table: delete the pivot | 透视表删掉 | 不要透视表
sheet_get_pivot_table_detail: what does the pivot table group by | 透视表是怎么设置的 | 透视表的字段
sheet_update_pivot_table: group the pivot by month instead | averages instead of sums in the pivot | 透视表改成按月 | 透视表换个字段
| 透视表求平均
sheet_add_protect_range: protect or lock cells so that nobody else can change them | 锁定单元格 | 不让别人改 | 保护区域
| nobody may touch the totals | only I may edit this tab | 总计那行别让人动 | 公式锁上 | 这张表只有我能改
| formulas must not be overwritten | 公式不要被改掉 | nobody but me should edit the prices | 除了我谁也不能改
sheet_update_protect_range: protect a larger area instead | 保护范围改大一点 | 锁定区域调整
sheet_delete_protect_range: unlock cells | 解除保护 | let people fill the locked cells again | 上锁的格子放开 | 让大家可以填了 | 锁去掉
sheet_get_protect_ranges: which cells are locked and who may change them | what is protected | 哪些格子锁了 | 谁能改保护的区域
| 保护了哪些范围
sheet_read: read, show or look at cells of a spreadsheet | what is in B7 | 读表格 | 看看单元格内容 | 表里有什么
| show me the first ten rows | what are the numbers for March | open the budget | 前十行给我看看 | 三月的数据是什么 | 打开预算表看看
| 读一下表格内容
sheet_write: write, fill or enter data, values or formulas into a spreadsheet | 填数据 | 写入表格 | 写公式
| type in the numbers from this list | put these figures in the table | make a formula for the vat | 把这些数字填进去 | 录入数据
| 名单填到表里 | 写个公式算税 | 单价乘数量 | translate a column | add VAT to each price | fill the empty cells with zero
| raise the prices by five percent | the net price times the amount | 把这列翻译成英文 | 价格都涨百分之五 | 空格子补零 | 加税后的价格
| put the formula for the total here | enter the results | fill in today's figures | correct the value in C4
| 这里写个合计公式 | 填今天的数 | C4的值改一下
sheet_check: check or verify that totals add up, numbers are right, nothing is wrong or missing
| find errors in the sheet | 检查对不对 | 核对数字 | 核一下 | 有没有算错 | is there an error in my calculation | does it add up
| why is there a ref or value error | anything missing in the column | 合计对吗 | 有没有漏填 | 表里有没有错 | 报错了帮我看看 | 公式对吗
| find the mistake in my table | are all totals right | 表里哪里有错 | 所有合计都对吗
sheet_query: sum, total, average, mean, count, maximum per region, month or group
| calculate or ask a question of a table | how many | 求和 | 平均数 | 算一下总数 | 每个地区有多少 | 统计
| how much did we spend on travel in March | which shop sells best | who ordered most | top five customers
| how many orders are open | 哪个店卖得最好 | 花了多少钱 | 谁买得最多 | 平均多少 | 前五名客户 | 一共有几单 | 占百分之几 | 哪个月最高 | who owes us money
| who has not paid yet | how many orders did each of us sell | 谁还欠钱 | 谁没付款 | 每个人的订单数 | which month was the best
| how many customers come from Italy | what is the total of column B | average age | share of each region | 意大利客户有几个
| B列合计 | 平均年龄 | 每个地区占比
sheet_inspect: what is this spreadsheet about | overview or structure of a workbook | 这个表格是做什么的 | 表格概览
| explain what this workbook contains | I got this sheet from a colleague and don't understand it | 同事给的表看不懂 | 这张表讲什么
| 帮我弄懂这个表 | 表的结构
sheet_trace: where does this number come from | how is a cell calculated | what depends on it | 这个数怎么算出来的 | 来源 | 公式追踪
| why is this number so high | which cells feed into the total | where does ref come from | 这个数为什么这么大 | 合计是哪些格子加起来的
| 这个结果依据什么 | 这格影响哪些
sheet_edit_rows: delete, mark or move all rows where a condition holds | 删除满足条件的行 | 把符合条件的行标出来
| throw out all customers from Spain | delete everything older than 2020 | mark all unpaid invoices
| move finished orders to another tab | 西班牙的客户都删掉 | 没付款的全标黄 | 2020年以前的删了 | 已完成的挪到另一张表 | 凡是空的都删
| delete every row without a name | remove all cancelled orders | color rows that are overdue | 没有名字的行都删了 | 取消的订单全删
sheet_batch: several changes at once | 一次做多个修改 | do all of this in one step | 一次性全做了 | 几步一起做
sheet_append_rows: add a row, line or entry below a table | new record at the end | 加一行 | 表格末尾加记录 | 追加数据
| we have a new customer, put him in the list | add today's sales | log an expense | 新来一个客户加到表里 | 记一笔支出 | 今天的销售加进去
| 名单最后加一个人 | 登记一条 | one more customer for the list | add an order at the bottom | enter a new expense | 新增一笔订单
| 再加一个客户
sheet_replace: replace or swap a word or text everywhere in a spreadsheet or workbook | find and replace | 查找替换
| 全部替换成 | 表格里把一个词换成 | Ltd should read Limited in the whole sheet | swap a word in the table | 表里的有限公司全换成集团 | 整个表把旧名字换新
| 错别字全表替换 | change 2025 to 2026 in all dates | wrong year everywhere | 把空格都去掉 | 年份全改成2026
| change all commas to points | every Mr should become Mrs | 逗号全部换成点
sheet_copy_range: copy cells elsewhere | fill a formula down | continue a series | 复制单元格 | 公式往下填充
| drag the formula to the bottom of the column | the same block again beside it | use the formula in all rows | 公式拖到底
| 这块数据旁边再来一份 | 每行都用这个公式 | 往下拉 | 自动编号 | same formula for the other rows | continue the numbers 1 2 3 downwards
| copy the table to another tab | 其他行也用这个公式 | 序号往下排 | 把表复制到另一个标签页
sheet_copy_sheet: duplicate a tab | 复制工作表 | the same tab once more for next month | 子表再来一张一样的 | 照着这张做下个月的 | 复制标签页
sheet_set_dimension_visible: hide or show rows or columns | unhide | 隐藏列 | 把列藏起来 | 显示隐藏的行
| bring back the rows somebody hid | I don't want to see these columns | group rows so that they fold | 不想看到这几列
| 藏着的行露出来 | 有几行看不见了 | 把中间列收起来
sheet_render_chart: show me the chart as a picture | 看看图表 | let me see the graph | 把图发给我看 | 图画出来是什么样
sheet_render_range: picture or screenshot of cells | how does the sheet look | 表格截图 | 看看表格什么样
| let me see the table as people see it | 表格长什么样给我看看 | 截张图
sheet_get_filters: which filter is set | 现在筛选了什么 | 筛选条件是什么
sheet_get_images: which pictures are in the sheet | 表里有哪些图片
sheet_get_kept_objects: shapes, buttons and form controls of the imported file | 原文件里的控件和形状
sheet_update_image: make the logo bigger or smaller | move the picture to the right | 标志放大一点 | 图片缩小 | 把照片挪到右边
sheet_delete_image: the picture in the sheet can go | 表里的图片删掉 | 标志去掉 | 把表里的照片删了 | take the photo out of the sheet
sheet_get_history: who changed or touched this cell or sheet, and when
| what did this cell say or contain before, last week | earlier values | 谁改过这个单元格 | 谁动过 | 以前是多少 | 修改记录
| when did we last touch the budget | who put this number here | 这个数谁填的 | 表最近是谁在改 | 表格什么时候改过 | 改动历史
| the sheet as it was in May | who has been fiddling with the numbers | 谁把我的数字改了 | 五月份的表是什么样 | who changed the price
| when was this number entered | 价格是谁改的 | 这格什么时候填的
sheet_revert: bring a spreadsheet back to how it was | go back to an earlier version of the sheet | 表格恢复到以前的版本
| 表格退回昨天 | I messed the sheet up, put it back to this morning | yesterday's version of the sheet
| the spreadsheet is ruined | 表被改乱了 | 恢复成早上的样子 | 表格回到昨天的版本 | 表弄坏了还原 | my kid deleted half the table | 表里的数据没了
| go back to the sheet of yesterday | everything in the sheet is broken since noon | 回到中午以前的表
sheet_undo_revision: undo or take back the last change, edit or step | revert what you just did | 撤销上一步 | 刚才的修改不要了
| 退回一步 | 撤回 | that was wrong, take it back | cancel your last edit | oops | 改错了撤回 | 不算，退回去 | 上一步取消 | not that, undo
| please reverse what you just changed | 刚改的撤回 | 取消刚才那一步
sheet_list_functions: which formulas or functions are there | 有哪些函数 | which formula works out a loan payment
| how do I calculate the working days, is there a function | 算贷款用什么函数 | 有没有公式能算工作日 | 哪个公式可以
sheet_set_name: name a range | 给区域命名 | call these cells Rates so that formulas can use it | 给这块区域起个名字 | 定义名称
sheet_set_conditional_format: highlight negative, large or overdue numbers in red | color cells by a rule | 负数标红
| 条件格式 | 超过的标成红色 | 突出显示 | turn cells green when they are over 1000 | late dates should stand out | bars in the cells
| color scale | 大于一万变绿 | 过期的自动变色 | 低于库存的标出来 | 根据数值变颜色 | 数据条 | numbers with a minus should jump out
| show late payments in red automatically | mark the highest value | values under 10 in orange | 低于10的标橙色 | 最大值标出来
| 自动标红
sheet_set_validation: only allow certain values, choices or a dropdown in a cell | 下拉列表 | 只能从几个选项里选 | 限制输入 | 数据验证
| people should pick yes or no | no text in the amount column please | 只能填数字 | 做个选择列表 | 填是或否 | 不许填别的
| let people choose from a list in the status column | only dates allowed here | 状态列做成选择 | 这里只能填日期
sheet_set_comment: leave a comment, remark or message on a cell for a colleague | 单元格批注 | 给同事留言 | 格子上留句话 | 加备注
| ask Tom about this number | reply to a comment on a cell | 这格问一下小李 | 回复单元格批注 | 在数字旁边备注
| leave a note for Tom at cell B4 | question about this number for Anna | 给B4加个说明
sheet_set_table: make it a table | 做成表 | turn the list into a proper table | striped table with names for columns
| 变成正式的表 | 列表转为表 | 套用表格
sheet_set_sheet_properties: hide a tab | tab color | gridlines | 隐藏工作表 | 标签颜色 | no gridlines please
| color the tab red | zoom in | hide a sub-sheet from others | 不要网格线 | 标签换个颜色 | 放大显示 | 把这张子表藏起来
sheet_set_page_setup: print, paper, landscape, margins | 打印设置 | 横向打印 | 页边距 | make the printout fit on one page
| wide paper | header and footer on paper | 打在一张纸上 | 打印出来太宽 | 横着打 | 打印页眉 | repeat the header on every printed page
| A4 | 每页都打印表头 | print on A4, landscape | the table is too wide for the paper | 打印成横的
sheet_delete_object: remove a named range, a rule, a dropdown or a comment | no more red highlighting
| delete the comment on a cell | 条件格式去掉 | 下拉框取消 | 删掉单元格批注 | 不要自动变色了
sheet_list_objects: what comments did people leave in this spreadsheet | which names, rules and dropdowns are there
| 表里有哪些批注 | 大家在表上留了什么言 | 有哪些条件格式 | 定义了哪些名称
sheet_get_computed_formats: which cells are highlighted by rules at the moment | 现在哪些格子被标红了
`;
