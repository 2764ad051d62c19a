/**
 * Synonyms of words in the tools' names and descriptions, in English and Chinese. Each line has words of the tools
 * before the colon and the words that people use for them after it.
 */
const lines = `
style: color colour paint bold italic font look 颜色 变成 蓝色 红色 字体 加粗 样式 格式
freeze: stay visible scroll pin 冻结 首行
merge: combine join 合并
unmerge: split again 取消合并 拆分
chart: graph bar line pie plot draw 图表 柱状图 折线图 饼图 画
pivot table: summarize crosstab 透视表 汇总
sort: order arrange rank 排序 排列
filter: only show hide 筛选 过滤
add sheet: tab worksheet 新建工作表 新建一个工作表
sub-sheet sheet: tab 工作表 子表
delete dimension: 删除一列 删除一行 删除列 删除行 删列 删行
insert dimension: 插入行 插入列
dimension size: wide wider narrow height 列宽 行高
insert image: picture photo 插入图片 图片
protect: lock nobody prevent 锁定 保护
replace: substitute 替换
find: search locate 查找
validation: dropdown drop-down choice allow 下拉 选项 验证
conditional format: highlight negative red 标红 高亮 条件格式
comment: remark annotate 批注 评论
inbox: notification news 收件箱 消息
follow: subscribe watch 关注 订阅
trace: where depend calculate 怎么算 来源 算出来
undo revision: take last 撤销 撤回
revert: take 还原
history: who earlier version 历史 修改历史 历史版本
export file: download excel xlsx csv 导出 下载
import file: upload csv xlsx 导入
copy file: duplicate 复制一份
share: give access invite colleague permission 分享 共享
member: invite colleague people access 成员 邀请
public link: anyone public 公开链接 链接
create: make new start 新建 创建 生成 建
end: stop close revoke 关闭 停止 结束
restore: back recover undelete trash 恢复 找回
append: continue 追加
import doc: write 新建笔记 写笔记
add notebook: 新建笔记本
note doc: memo 笔记
note: memo 笔记
notebook: 笔记本
rename note: 修改笔记标题
rename: title name 重命名 改名 标题
move: put another transfer 移动 移到
delete: remove throw away erase 删除 删掉
restore note version: go back old 恢复版本
list suggestions: proposed changes review 查看建议 修订
decide suggestion: accept reject refuse proposed change 接受建议 拒绝建议
import urls: web page save website address 网页
knowledge base: library collection base 知识库
create folder: directory 建文件夹
folder: 文件夹
move knowledge: 移动文件
get knowledge content: read pdf say 读
search passages: quote passage answer cite 引用 段落
search all: everything 搜索全部 搜索 全部
tag: label mark 标签 标记
set member: invite colleague 邀请成员
export knowledge base: download everything 导出整个知识库 整个知识库
knowledge state: ready parse finish upload 解析 好了
key: api token 密钥
create user: person people 添加用户
user: person account people 用户 账号
suspend user: disable block 停用 禁用
session: device sign out log 设备
end session: sign out device
create webhook: call url notify 回调 通知
webhook: notify callback 回调
audit: happen activity log whom 操作日志 日志
password: 密码
set password: 修改密码
spreadsheet file: sheet excel workbook 表格
dimension: row column line 行 列
cell: 单元格
append rows: 添加行 加一行 追加行
dimension visible: hide unhide 隐藏 显示
link: hyperlink 超链接
border: frame outline 边框
query: sql group count average total 统计 查询 求和 平均
check: verify mistake wrong 检查 核对
inspect: overview understand structure 概览 结构
copy range: paste 复制 粘贴
batch: several together 批量
page setup: print margin paper landscape 打印 页面
set name: named 命名
retry: again failed 重试
replace knowledge: newer update 替换文件 更新文件
knowledge top: pin top 置顶
session: conversation chat 对话 会话
list deleted: trash bin 回收站
list members: 谁有权限 成员列表
export note: markdown 导出笔记
update note: rewrite 改写
edit note: 修改笔记内容 编辑笔记
diff note: compare difference 比较 对比
search note: 搜索笔记 找笔记
list note: 笔记列表
list tasks: todo open task 待办 任务
backlinks: refer mention link 反向链接 引用了
list tags: 所有标签
get media info: original 原文件 原件
sign in link: login 登录链接
revoke key: 撤销密钥 删除密钥
revoke connection: app disconnect 断开 应用
resume user: enable unblock 启用
shared with me: 分享给我
group: team 群组 小组
list changes: did today recently yesterday since poll 变化 改了什么 更新了什么 最近改动 动态
remember: keep mind memorize 记住 记下来
recall: remembered memory know 回忆 记得
find duplicates: duplicate same twice equal identical 重复 相同
list memories: memory 记忆
forget: erase memory 忘记 忘掉
`;

/** Maps a word that people use to the phrases of tools that it may mean. */
const synonyms = new Map<string, string[][]>();
const chineseTerms: string[] = [];
for (const line of lines.trim().split('\n')) {
  const [meant, used] = line.split(':') as [string, string];
  for (const word of used.trim().split(' ').map(stem)) {
    synonyms.set(word, [...(synonyms.get(word) ?? []), meant.split(' ').map(stem)]);
    if (/\p{Script=Han}/u.test(word)) chineseTerms.push(word);
  }
}
// Sort longer terms first, so that a term is matched before a shorter one with which it begins.
chineseTerms.sort((one, other) => other.length - one.length);
const chinese = new RegExp(chineseTerms.join('|'), 'g');

/** Splits text into lower-case words without common endings, so that "rows" finds "row" and "sharing" finds "share". */
export function toolWords(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !fillers.has(word)).map(stem);
}

function stem(word: string): string {
  return word.replace(/(?:ies|es|s|ing|ed|er|e)$/, '') || word;
}

export interface RequestWords {
  readonly words: ReadonlySet<string>;
  /** Phrases of tools that words of the request may mean. */
  readonly phrases: readonly (readonly string[])[];
}

/** Returns the words of a request, in English and Chinese, and the phrases of tools that these words may mean. */
export function requestWords(text: string): RequestWords {
  const words = new Set([...toolWords(text), ...(text.match(chinese) ?? [])]);
  return { words, phrases: [...words].flatMap((word) => synonyms.get(word) ?? []) };
}

const fillers = new Set(
  (
    'a an and another by can do for from how i in into is it its me my of on one or out please some somebody that the ' +
    'these this to use what with you'
  ).split(' '),
);
