import { toolWords } from './tool-words.ts';

/**
 * Phrases with which people ask for a tool, in English and Chinese. There is one line per tool, with bars between the
 * phrases; a line that begins with a bar continues the previous one. find_tools ranks a tool by how much of the request
 * its phrases cover, so that a request can match without any word of the tool's name or description.
 */
const lines = `
account_get_me: who am I | which account is this | my name and rights | 我是谁 | 当前账号 | 我的权限
account_create_key: create an api key | make an access token for a script or program | new secret key | 新建密钥 | 给脚本一个访问令牌
account_list_keys: which api keys exist | my tokens | 有哪些密钥
account_revoke_key: revoke a key | a token leaked, make it invalid | 作废密钥 | 密钥泄露了 | 撤销令牌
account_list_connections: which apps are connected to my account | 哪些应用连着我的账号
account_revoke_connection: disconnect an app | remove access of an app | 断开应用 | 取消应用授权
account_set_password: change my password | new password | 改密码 | 换个密码 | 重设密码
account_list_sessions: where am I signed in | which devices are logged in | 在哪些设备上登录
account_end_session: log out a device, phone or computer | sign out elsewhere | 退出登录 | 把手机下线 | 踢掉旧设备
account_create_sign_in_link: link to sign in once | let somebody log in without a password | 登录链接
account_list_audit: who did what | audit log | record of all actions | 操作日志 | 审计记录 | 谁干了什么
account_list_changes: what changed since yesterday, Monday or last week
| what has my team or colleagues been doing or working on | recent activity | news | 最近有什么变化 | 这几天大家改了什么 | 今天更新了什么 | 团队动态
account_create_webhook: notify our server or an address when something changes | send a message to a url whenever | callback
| 有改动时通知服务器 | 变动推送到网址 | 回调
account_create_user: add a person | new colleague, employee or member needs an account | 新建用户 | 给新同事开账号 | 添加人员
account_list_users: all people here | who has an account | 所有用户 | 有哪些人
account_suspend_user: block or disable somebody who left | stop an account for now | 停用账号 | 停掉账号 | 离职员工 | 禁止登录
account_resume_user: let a blocked user in again | enable an account | 恢复账号 | 解除停用
account_delete_user: close an account for good | remove a person | 注销用户 | 删除用户
account_create_group: make a team | group of people | 建一个小组 | 新建团队
account_add_group_members: put somebody into a team | 把人加进小组
account_remove_group_members: take somebody out of a team | 把人移出小组
note_search_note: find a note | which of my notes mention, contain or are about something | search my notes | 找笔记 | 哪篇笔记提到
| 笔记里搜
note_list_note: show my notes | latest notes | 列出笔记 | 我有哪些笔记 | 最近的笔记
note_import_doc: write a new note | create, draft or jot down a memo, minutes or journal | take notes of a meeting | 写一篇笔记
| 记成笔记 | 写个备忘 | 新建笔记 | 做会议纪要 | 记录下来成笔记
note_append_doc: add to the end of a note | continue a note | append text, a line or a paragraph to it | 在笔记末尾加 | 笔记后面补一段
| 往笔记里追加 | 续写笔记
note_list_notebook: my notebooks | folders of notes | 有哪些笔记本
note_read_note: open or read a note | what is in the note | 读笔记 | 打开笔记 | 笔记里写了什么
note_edit_note: change, correct or fix a sentence, date or words in a note | edit part of a note | 改笔记里的一句话 | 修改笔记内容 | 笔记里改成
note_replace_in_notes: replace a word in all notes | change a name everywhere in my notes | 所有笔记里把一个词换成另一个 | 批量替换笔记
note_undo_note_change: undo a change of several notes | 撤销对笔记的批量修改
note_diff_note: compare two versions of a note | difference between versions | what was changed in the note | 笔记两个版本有什么不同
| 对比笔记版本
note_list_tasks: what do I have to do | open tasks, todos, what is left to do or unfinished | due this week | 还有哪些事没做 | 待办事项
| 没完成的任务 | 要做什么
note_set_task: tick off a task | mark a task or todo as done, finished or complete | set a due date | 任务打勾 | 标记完成 | 这件事做完了
| 任务改期
note_backlinks: what links to or refers to this note | 谁引用了这篇 | 反向链接
note_list_links: links in a note | broken links | 笔记里的链接 | 失效的链接
note_tag_note: tag or label a note | 给笔记加标签 | 笔记打标签
note_comment_note: comment on a note | 评论笔记 | 在笔记上留言
note_rename_note: change the title of a note | call a note something else | 改笔记标题 | 笔记改名
note_update_note: rewrite a whole note | replace all text of a note | 重写整篇笔记
note_delete_note: delete or throw a note away | 删除笔记 | 扔掉笔记
note_restore_note: get a deleted note back | undelete a note | threw a note away by mistake | 恢复删除的笔记 | 误删的笔记找回来 | 笔记从回收站拿回
note_list_deleted_notes: trash of notes | which notes did I delete | 笔记回收站 | 删过哪些笔记
note_move_notes: move or put a note into another notebook | 移动笔记 | 把笔记放到另一个笔记本
note_add_notebook: new notebook | folder for notes | 新建笔记本 | 建个笔记本
note_rename_notebook: rename a notebook | call a notebook something else | move a notebook | 笔记本改名
note_delete_notebook: delete a notebook | 删除笔记本
note_list_suggestions: proposed changes to a note | 笔记的修改建议
note_decide_suggestion: accept or reject a proposed change | 接受或拒绝建议
note_export_note: download, save or export a note as a file, markdown or text | 导出笔记 | 笔记存成文件 | 下载笔记
note_get_note_history: earlier or older versions of a note | what did the note look like or say before, yesterday | 笔记的历史版本
| 笔记以前的样子 | 笔记昨天写的什么
note_restore_note_version: go back to an old version of a note | bring the earlier text back | 笔记恢复到旧版本 | 笔记回到之前的版本
note_remember: remember or keep in mind a fact or preference for later | do not forget that I prefer or like | 记住 | 以后都这样
| 记下我的偏好 | 别忘了我喜欢
note_recall: what do you remember or know about me | what did I tell you about my preference earlier | 你还记得吗 | 我以前跟你说过
| 我的偏好是什么 | 回忆
note_list_memories: everything you remembered about me | 你记住了我哪些事
note_forget: forget what you noted about me | erase a memory | 忘掉 | 不要再记得 | 删除记忆
wiki_add_knowledge: add or put a note or saved conversation into a knowledge base | file a note in a base and keep it fresh | 把笔记放进知识库 | 笔记加入知识库
wiki_get_knowledge_list: what is in this folder or base | list files | 文件夹里有什么 | 列出文件 | 目录内容
wiki_search_knowledge: find a file in one knowledge base | 在知识库里找文件
wiki_search_knowledge_base: which knowledge bases are there | find a base by name | 有哪些知识库 | 找知识库
wiki_import_urls: save, grab or add a web page, article, site or link from the internet | keep this url | 保存网页 | 把网页存下来
| 收藏链接 | 网址加进知识库 | 网上的文章
wiki_get_media_info: download the original file | link to the file itself | 下载原文件 | 原件
wiki_create_knowledge_base: new library, collection or base | 新建知识库 | 建一个资料库
wiki_update_knowledge_base: rename a knowledge base | change description or cover | 知识库改名 | 改知识库简介
wiki_delete_knowledge_base: delete a whole base or library | 删除知识库
wiki_create_folder: make a new folder or directory | 新建文件夹 | 建目录
wiki_upload_knowledge: upload or put a file, document or picture into the library or base | save this text as a file | 上传文件
| 把文件放进知识库 | 存一张图片到知识库
wiki_get_knowledge_content: read a file, pdf or document | what does the document or pdf say | content of a file | 读文件
| 看看文档里写了什么 | 文件内容 | PDF里写了什么
wiki_get_knowledge_state: is the upload ready, done, finished or processed | why did reading or parsing a file fail | 文件处理完了吗
| 上传好了没有 | 解析失败原因 | 传上去了没有
wiki_find_duplicates: duplicates | files that are there twice or more | same file uploaded several times | 重复的文件 | 传了两遍的文件
| 一样的文件
wiki_search_all: search everything | which documents, files or notes mention something | where did I write about
| find anything about | 到处找 | 哪里提到过 | 全部搜索 | 搜一下所有资料
wiki_search_passages: what exactly does the contract, policy, report or document say about something
| answer from documents with a quote, source or citation | look it up in the files | 合同里怎么说 | 引用原文回答 | 规定是什么 | 根据资料回答 | 出处
wiki_rename_knowledge: rename an item or folder of a base | 文件改名 | 文件夹改名
wiki_move_knowledge: move or put a file into a folder or another base | 移动文件 | 把文件放到文件夹 | 归到文件夹里 | 归类
wiki_copy_knowledge: copy a file or folder to another base | 复制文件到另一个知识库
wiki_delete_knowledge: delete a file or folder | 删除文件 | 删掉文件夹
wiki_restore_knowledge: get a deleted file or folder back | 恢复删除的文件 | 文件找回来
wiki_list_deleted: trash of a base | which files were deleted | 知识库回收站
wiki_set_knowledge_top: pin a folder to the top | 文件夹置顶
wiki_replace_knowledge: replace a file by a newer version | update a document with a new file | 用新文件替换 | 换成新版本的文件
wiki_retry_knowledge: try again to read a file that failed | 重新解析 | 再试一次
wiki_add_tag: tag or label a document, file or item | stick a label on a document | 给文件加标签 | 文件贴标签 | 打标签
wiki_remove_tag: remove a tag or label from a document | 去掉标签
wiki_list_tags: all tags or labels in use | 用过哪些标签
wiki_list_members: who can see or has access to this knowledge base | members of a base | 谁能看这个知识库 | 知识库成员 | 谁有权限
wiki_set_member: add or invite somebody to a knowledge base | give a colleague access to a base | 把人拉进知识库 | 邀请加入知识库 | 知识库加成员
wiki_remove_member: remove somebody from a knowledge base | 把人移出知识库
wiki_export_knowledge_base: download a whole knowledge base | backup of all files | 导出整个知识库 | 打包下载
wiki_create_session: save this conversation or chat | 保存对话
sheet_set_cell_value: put a value into one cell | set a cell | 填一个单元格 | 单元格改成
sheet_set_cell_style: make text bold, italic, bigger or colored | background or fill color behind cells, titles or headings
| show amounts with two decimals, as percent, currency or date | align, wrap | 加粗 | 改颜色 | 背景色 | 底色 | 字体 | 保留两位小数 | 显示成百分比
| 居中
sheet_get_cell_style: which color or font has this cell | 单元格是什么颜色
sheet_set_border: draw lines or borders around cells | 加边框 | 画框线
sheet_merge_cell: merge or join cells into one | one heading across several columns | 合并单元格 | 几个格子并成一个 | 把格子合起来
sheet_unmerge_cell: split merged cells | 拆开合并的单元格 | 取消合并
sheet_insert_dimension: insert empty rows, lines or columns | add a column between | make room | 插入空行 | 加两行空行 | 中间加一列 | 插一列
sheet_delete_dimension: delete or remove rows, lines or columns | get rid of empty rows or lines | 删掉这几行 | 去掉一列 | 删空行
sheet_move_dimension: move a row or column up, down or elsewhere | 移动行 | 把这一行挪到上面 | 列换个位置
sheet_set_dimension_size: column width, wider or narrower | row height, taller | 列宽 | 列调宽 | 行高 | 调窄一点
sheet_set_dimension_visible: hide or show rows or columns | unhide | 隐藏列 | 把列藏起来 | 显示隐藏的行
sheet_insert_range: insert cells and push the rest down | 插入单元格
sheet_delete_range: delete cells and close the gap | 删除单元格
sheet_clear_range_cells: empty or clear cells, keep the look | remove the contents | 清空单元格 | 清掉内容 | 清空
sheet_clear_range_style: remove all formatting | 清除格式
sheet_set_freeze: freeze panes | keep the first row, headings or header visible, in place or on screen while scrolling down
| 冻结首行 | 滚动时表头不动 | 固定表头 | 往下拉标题还在
sheet_set_filter: filter a table | only show some rows | 筛选 | 只看符合条件的行 | 加筛选
sheet_remove_filter: remove the filter, show all rows again | 取消筛选
sheet_sort_range: sort, order or rank rows by name, date, price or size | largest first | 排序 | 排个序 | 从大到小排 | 按日期排
sheet_set_link: make a cell a link | hyperlink | 单元格加超链接
sheet_insert_image: put a picture or logo into a sheet | 表格里插图片
sheet_find: find a value or text in a spreadsheet | where is it in the sheet | 表格里查找 | 在表里找
sheet_add_sheet: new tab or sub-sheet | 新建工作表 | 加一个标签页
sheet_delete_sheet: remove a tab or sub-sheet | 删除工作表
sheet_rename_sheet: rename a tab | 工作表改名
sheet_copy_sheet: duplicate a tab | 复制工作表
sheet_add_chart: draw a chart, graph, pie, bar, column or line | show numbers by category as a picture | visualize | 画图表
| 做个饼图 | 柱状图 | 折线图 | 可视化
sheet_update_chart: change a chart, its title or colors | 改图表
sheet_delete_chart: remove a chart | 删除图表
sheet_render_chart: show me the chart as a picture | 看看图表
sheet_render_range: picture or screenshot of cells | how does the sheet look | 表格截图 | 看看表格什么样
sheet_add_pivot_table: pivot or cross table by month and region | 透视表 | 交叉汇总 | 按月份和地区汇总
sheet_add_protect_range: protect or lock cells so that nobody else can change them | 锁定单元格 | 不让别人改 | 保护区域
sheet_delete_protect_range: unlock cells | 解除保护
sheet_read: read, show or look at cells of a spreadsheet | what is in B7 | 读表格 | 看看单元格内容 | 表里有什么
sheet_write: write, fill or enter data, values or formulas into a spreadsheet | 填数据 | 写入表格 | 写公式
sheet_check: check or verify that totals add up, numbers are right, nothing is wrong or missing | find errors in the sheet
| 检查对不对 | 核对数字 | 核一下 | 有没有算错
sheet_query: sum, total, average, mean, count, maximum per region, month or group | calculate or ask a question of a table
| how many | 求和 | 平均数 | 算一下总数 | 每个地区有多少 | 统计
sheet_inspect: what is this spreadsheet about | overview or structure of a workbook | 这个表格是做什么的 | 表格概览
sheet_trace: where does this number come from | how is a cell calculated | what depends on it | 这个数怎么算出来的 | 来源 | 公式追踪
sheet_edit_rows: delete, mark or move all rows where a condition holds | 删除满足条件的行 | 把符合条件的行标出来
sheet_append_rows: add a row, line or entry below a table | new record at the end | 加一行 | 表格末尾加记录 | 追加数据
sheet_replace: replace or swap a word or text everywhere in a spreadsheet or workbook | find and replace | 查找替换 | 全部替换成
| 表格里把一个词换成
sheet_copy_range: copy cells elsewhere | fill a formula down | continue a series | 复制单元格 | 公式往下填充
sheet_batch: several changes at once | 一次做多个修改
sheet_get_history: who changed or touched this cell or sheet, and when | what did this cell say or contain before, last week
| earlier values | 谁改过这个单元格 | 谁动过 | 以前是多少 | 修改记录
sheet_revert: bring a spreadsheet back to how it was | go back to an earlier version of the sheet | 表格恢复到以前的版本 | 表格退回昨天
sheet_undo_revision: undo or take back the last change, edit or step | revert what you just did | 撤销上一步 | 刚才的修改不要了 | 退回一步
| 撤回
sheet_list_functions: which formulas or functions are there | 有哪些函数
sheet_set_name: name a range | 给区域命名
sheet_set_conditional_format: highlight negative, large or overdue numbers in red | color cells by a rule | 负数标红 | 条件格式
| 超过的标成红色 | 突出显示
sheet_set_validation: only allow certain values, choices or a dropdown in a cell | 下拉列表 | 只能从几个选项里选 | 限制输入 | 数据验证
sheet_set_comment: leave a comment, remark or message on a cell for a colleague | 单元格批注 | 给同事留言 | 格子上留句话 | 加备注
sheet_set_table: make it a table | 做成表
sheet_set_sheet_properties: hide a tab | tab color | gridlines | 隐藏工作表 | 标签颜色
sheet_set_page_setup: print, paper, landscape, margins | 打印设置 | 横向打印 | 页边距
manage_create_file: new spreadsheet, workbook or excel file | 新建表格 | 建一个表
manage_list_files: my spreadsheets | which tables do I have | 我有哪些表格 | 最近的表格
manage_search_file: find a spreadsheet or workbook | 找表格 | 搜表格
manage_rename_file: rename a spreadsheet or file | give a workbook another name or title | 表格改名 | 给表格换个名字
manage_copy_file: duplicate or copy a spreadsheet | 复制一份表格 | 表格副本
manage_delete_file: delete a spreadsheet | 删除表格
manage_restore_file: get a deleted spreadsheet back | 恢复删除的表格 | 表格找回来
manage_share_file: let somebody see or edit a spreadsheet or workbook | give access or permission to a sheet
| share with Anna or a colleague | 分享表格 | 让同事编辑表格 | 只能看不能改 | 表格权限
manage_tag_file: tag or label a spreadsheet | 给表格加标签
manage_create_public_link: anyone, also people without an account, can look at or open a spreadsheet by a link
| publish a sheet | 公开链接 | 没有账号也能看表格 | 生成分享链接
manage_end_public_link: a link that was sent should stop working | make a spreadsheet private again | 关闭公开链接 | 链接失效 | 不要再能打开
manage_import_file: open or import an excel or csv file as a spreadsheet | 导入excel | 打开csv
manage_export_file: download or export a spreadsheet as excel or csv | 导出excel | 下载表格
sharing_share: share a note, notebook or base with a person, colleague or group | let somebody read or edit it | 分享笔记 | 共享给同事
| 让别人看
sharing_unshare: stop sharing with somebody | take access away | 取消分享 | 收回权限
sharing_list_shares: who is it shared with | who has access | 分享给了谁 | 谁有权限看
sharing_list_shared_with_me: what do others share with me | what did people give me | 别人分享给我的 | 别人给我看的东西 | 共享给我
sharing_list_people: who may read this | 谁能看到
sharing_publish: public page of a note, notebook or base anyone can read | 发布到网上 | 公开笔记
sharing_unpublish: end a public link of a note or base | no longer public | 取消公开 | 停止发布
inbox_list_inbox: my notifications, mentions and messages | who mentioned me | 收件箱 | 谁提到我 | 新消息
inbox_mark_inbox_read: mark notifications as read | 标为已读
inbox_follow: tell or notify me when somebody edits or changes this sheet, note or base | watch or follow it | 关注 | 有人改了告诉我
| 有更新提醒我
inbox_unfollow: stop telling me about it | 取消关注
`;

/**
 * Returns the words of a text. Chinese text is split into its characters and pairs of adjacent characters, which needs
 * no dictionary.
 */
function termsOf(text: string): Set<string> {
  const terms = new Set(toolWords(text));
  for (const [run] of text.matchAll(/\p{Script=Han}+/gu)) {
    const characters = [...run];
    for (const [at, character] of characters.entries()) {
      terms.add(character);
      if (at > 0) terms.add(characters[at - 1]! + character);
    }
  }
  return terms;
}

/** The terms of each phrase of a tool, by the tool's name. */
const phrases: ReadonlyMap<string, readonly ReadonlySet<string>[]> = new Map(
  lines
    .trim()
    .split(/\n(?!\|)/)
    .map((line): [string, Set<string>[]] => {
      const colon = line.indexOf(':');
      return [
        line.slice(0, colon),
        line
          .slice(colon + 1)
          .split('|')
          .map(termsOf),
      ];
    }),
);

/** Weight of a single Chinese character relative to a pair. It is lower, because many words share a character. */
const characterShare = 0.4;

const allTerms: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...phrases].map(([tool, own]) => [tool, new Set(own.flatMap((phrase) => [...phrase]))]),
);

/** Number of tools whose phrases contain a term, by term. */
const holders = new Map<string, number>();
for (const terms of allTerms.values()) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1);

/** Returns the weight of a term: it is higher the fewer tools have the term, and 0 if none has it. */
function weightOf(term: string): number {
  const count = holders.get(term);
  if (count === undefined) return 0;
  const share = /^\p{Script=Han}$/u.test(term) ? characterShare : 1;
  return share * Math.log(1 + phrases.size / count);
}

/**
 * Returns a function that scores how well a tool's phrases match the request. All phrases of a tool count, and the best
 * matching phrase counts once more, so that words that occur together in a phrase outweigh the same words from several
 * phrases.
 */
export function scoreByPhrases(request: string): (tool: string) => number {
  const asked = [...termsOf(request)]
    .map((term) => ({ term, weight: weightOf(term) }))
    .filter(({ weight }) => weight > 0);
  const shared = (phrase: ReadonlySet<string>): number =>
    asked.reduce((sum, { term, weight }) => sum + (phrase.has(term) ? weight : 0), 0);
  return (tool) => {
    const own = phrases.get(tool);
    if (!own) return 0;
    const all = shared(allTerms.get(tool)!);
    return all === 0 ? 0 : all + Math.max(...own.map(shared));
  };
}
