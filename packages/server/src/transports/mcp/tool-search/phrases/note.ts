export const notePhrases = `
note_search_note: find a note | which of my notes mention, contain or are about something | search my notes | 找笔记
| 哪篇笔记提到 | 笔记里搜 | where did I write about the holiday | I wrote something about that, find it
| the note with the recipe | find my travel plan | 我写过的那篇在哪 | 上次写的计划找出来 | 哪篇里写了 | 我记过的东西 | 旅行计划的笔记
| I need the minutes of Tuesday | what did I write about cooking | all my notes about a subject | 上周的会议纪要在哪 | 写装修的那篇
| do I have a note on that | pull up my notes on the project | look through my notes for | 我有没有写过 | 笔记里翻一下 | 关于项目的笔记
note_list_note: show my notes | latest notes | 列出笔记 | 我有哪些笔记 | 最近的笔记 | notes in a notebook
| which notes did I file under that notebook | what did I write lately | everything in my notebook Recipes | 笔记本里有哪些笔记
| 某个本子下的笔记 | 最近写了什么
note_get_doc_content: plain text of a note | note without markdown | 笔记纯文本 | 笔记正文
note_import_doc: write a new note | create, draft or jot down a memo, minutes or journal | take notes of a meeting
| 写一篇笔记 | 记成笔记 | 写个备忘 | 新建笔记 | 做会议纪要 | 记录下来成笔记 | jot this down | put my thoughts on paper
| record that the plumber comes on Tuesday | draft an article | write up what we discussed | start a diary | 写下今天的想法
| 记一下 | 写个草稿 | 把这些写下来 | 起草一篇文章 | 整理成一篇笔记 | 写日记 | 把讨论结果写成纪要 | create a shopping list | make a packing list
| write a letter | remind me to hand in the report on Monday | list what we decided, who does it and by when
| 提醒我周一交报告 | 把会上定的事列成清单 | 写个购物清单 | 拟一封信 | save this as a note | type up what I say | new page about our trip
| turn this chat into a note | 帮我记个东西 | 写一段关于旅行的文字 | 存成笔记
note_append_doc: add to the end of a note | continue a note | append text, a line or a paragraph to it | 在笔记末尾加
| 笔记后面补一段 | 往笔记里追加 | 续写笔记 | add milk to the shopping list | one more line to my journal
| put this under what I have already written | keep adding to my log every day | 清单里再加一样 | 购物清单加上 | 日记后面接着写 | 补充一句到最后
| 再记一条 | add another idea to my list | also write down that | put one more item on the list | 列表里多加一项 | 顺便再写一句
note_list_notebook: my notebooks | folders of notes | 有哪些笔记本 | which notebooks do I have | 我的笔记本列表 | 都有什么本子
note_browse_notes: go through thousands of notes | all notes with a tag, page by page | 逐页列出所有笔记 | 带某个标签的笔记 | 批量处理笔记
note_read_note: open or read a note | what is in the note | 读笔记 | 打开笔记 | 笔记里写了什么 | read my draft to me
| what did I write in my travel note | show the note | let me see the part on prices in my note | 把草稿念给我听 | 那篇笔记给我看看
| 看看我写的那篇 | 笔记第二段 | open my note on Rome | what does my note say | 打开那篇 | 我的笔记怎么写的
note_edit_note: change, correct or fix a sentence, date or words in a note | edit part of a note | 改笔记里的一句话 | 修改笔记内容
| 笔记里改成 | fix a typo in my note | the second paragraph is wrong | put another date in the memo
| replace one sentence of the draft | shorten the introduction | 稿子里有错字 | 第二段写错了 | 把那句话改一下 | 草稿里日期改一下 | 纪要里的名字写错了
| 改一改开头 | change the meeting time in my note | the date in my note is wrong | take the last sentence out of my note
| add a heading to the note | 笔记里时间改成下午三点 | 把最后一句删了
note_replace_in_notes: replace a word in all notes | change a name everywhere in my notes | 所有笔记里把一个词换成另一个 | 批量替换笔记
| we have a new company name, change it everywhere I wrote it | the same word in many notes
| rename a project in all my writing | 公司改名了所有笔记都要改 | 每篇笔记里都换掉 | 到处写的旧名字都改掉
note_undo_note_change: undo a change of several notes | 撤销对笔记的批量修改 | take the replacement in all notes back
| 批量替换的笔记改回来 | 刚才多篇笔记的替换不要了
note_diff_note: compare two versions of a note | difference between versions | what was changed in the note
| 笔记两个版本有什么不同 | 对比笔记版本 | how does my draft differ from last week's | what did I alter in this text | 这稿和上一稿差在哪
| 跟上周的稿子比 | 文章改了哪些地方 | 两稿对比 | what did Anna change in my text | 安娜改了我稿子哪些地方 | 改前改后对比
note_list_tasks: what do I have to do | open tasks, todos, what is left to do or unfinished | due this week | 还有哪些事没做
| 待办事项 | 没完成的任务 | 要做什么 | what is on my plate | what should I get done today | my to-do list
| which deadlines are coming up | anything overdue | 今天要干什么 | 我手头还有什么活 | 这周要交什么 | 任务清单 | 有没有过期的任务 | 待办清单
| what else do I have to do today | show my open items | which tasks are late | what did I promise to do | 还有什么要办的
| 这周的安排 | 哪些任务超期了
note_set_task: tick off a task | mark a task or todo as done, finished or complete | set a due date | 任务打勾 | 标记完成
| 这件事做完了 | 任务改期 | I finished that, check it off | the call to Ann is done | push the deadline to Friday
| reopen a task | 推迟到周五 | 这条提醒改到下周 | 那件事办完了 | 打电话的事搞定了 | 划掉这一项 | 截止日期往后推 | done with the shopping | mark it as done
| move the due date | I paid the bill, tick that | 账单付了打勾 | 这项改到下个月 | 完成了
note_list_links: links in a note | broken links | 笔记里的链接 | 失效的链接 | are there dead links in my article
| where does this note link to | which links do not work | 这篇里的链接打不开 | 坏链接 | 文章里有哪些网址 | 链接有没有失效
note_backlinks: what links to or refers to this note | 谁引用了这篇 | 反向链接 | which pages point at this note
| where is this note mentioned | what refers to this spreadsheet or file | 哪些笔记指向这篇 | 谁链接到了这里 | 哪里引用过这个表格 | 这篇在哪里被提到
note_tag_note: tag or label a note | 给笔记加标签 | 笔记打标签 | this note belongs to the topic travel | remove a tag from a note
| mark a note as private | 给这篇标上旅行 | 去掉笔记的标签 | 把笔记归个类 | put the tag travel on my note | 给这篇笔记加个旅行的标签
note_comment_note: comment on a note | 评论笔记 | 在笔记上留言 | ask Lisa in the margin whether this is right
| leave feedback on a paragraph | reply to a comment on my note | resolve a comment | 在这段旁边写一句 | 在文章上批注 | 问一下小李这段对不对
| 给稿子提意见 | 回复批注 | write a remark next to the second paragraph | tell the author that this is unclear | 给作者留个言
note_delete_note_comment: remove my remark from the note | 删掉我的评论 | 批注不要了 | 撤掉留言
note_list_note_comments: what did people remark on my article | read the feedback on my draft | comments on my note
| 大家对我的稿子有什么意见 | 看文章的批注 | 这篇有哪些评论 | 有没有人留言 | who commented on my note | 谁评论了我的笔记
note_rename_note: change the title of a note | call a note something else | 改笔记标题 | 笔记改名
| the note should be called Plan B | wrong headline, give the note another one | 这篇叫别的名字 | 笔记换个标题 | 文章标题改一下
| title of the note is wrong | 笔记标题写错了
note_update_note: rewrite a whole note | replace all text of a note | 重写整篇笔记 | put an entirely new text into the note
| throw the old text out and write it anew | 整篇重来 | 全文换掉 | 推倒重写
note_delete_note: delete or throw a note away | 删除笔记 | 扔掉笔记 | I don't need this note any more | bin the memo | 这篇笔记不要了
| 草稿扔了吧 | 把备忘删了 | delete my note about the party | 把那篇笔记删掉
note_restore_note: get a deleted note back | undelete a note | threw a note away by mistake | 恢复删除的笔记 | 误删的笔记找回来
| 笔记从回收站拿回 | I binned a note, is it still there | bring the deleted memo back | 不小心删了笔记 | 草稿误删了 | 把那篇删掉的备忘捞回来
| take a note out of the bin
note_list_deleted_notes: trash of notes | which notes did I delete | 笔记回收站 | 删过哪些笔记
| stuff I threw away last month, is it still there | deleted notes | what is in the bin | 上个月删的笔记还在吗 | 垃圾桶里有什么
| 看看删掉的东西
note_move_notes: move or put a note into another notebook | 移动笔记 | 把笔记放到另一个笔记本 | sort my notes into notebooks
| this note belongs into the other notebook | keep work and private notes apart | 工作和生活的笔记分开 | 这篇放到工作本子里 | 笔记归类 | 整理笔记
| put all recipes in the cooking notebook | 把菜谱都放到一个笔记本 | put all notes about Italy in one notebook | 把这几篇放到同一个笔记本
note_add_notebook: new notebook | folder for notes | 新建笔记本 | 建个笔记本 | a separate notebook for recipes
| a new section for my notes | 工作笔记单独放一个本子 | 开一个新本子 | 加个笔记本
note_rename_notebook: rename a notebook | call a notebook something else | move a notebook | 笔记本改名
| the notebook should have another name | put a notebook inside another | 本子改个名 | 换笔记本名字
note_delete_notebook: delete a notebook | 删除笔记本 | throw out the whole notebook
| get rid of my travel notebook with all in it | 整个笔记本不要了 | 本子删掉 | 旅行那个笔记本扔了
note_list_suggestions: proposed changes to a note | 笔记的修改建议 | what does Tom propose to change in my draft
| pending edits | which suggestions wait for me | 别人提了哪些修改 | 有什么修改建议 | 待处理的修订
note_decide_suggestion: accept or reject a proposed change | 接受或拒绝建议 | say yes to the edits | I agree with his changes
| take over the proposal | turn the suggestion down | 他的修改我同意 | 修改意见都采纳 | 建议不采纳 | 驳回修订 | 接受修改
note_export_note: download, save or export a note as a file, markdown or text | 导出笔记 | 笔记存成文件 | 下载笔记
| give me my notes as markdown files | all my notes as zip | save the memo on my computer | 所有笔记打包给我 | 笔记转成文件发我 | 备份笔记
| 把文章下载到电脑 | my note as a word or text file | 笔记发我一份文件
note_get_note_history: earlier or older versions of a note | what did the note look like or say before, yesterday
| 笔记的历史版本 | 笔记以前的样子 | 笔记昨天写的什么 | who wrote what in this note and when | versions of my draft
| how was my note on Friday | 这篇谁改过 | 草稿有几个版本 | 笔记改动记录 | 上周这篇什么样 | who has been fiddling with my note
| when did I change this note | all versions of the text | 这篇什么时候改过
note_restore_note_version: go back to an old version of a note | bring the earlier text back | 笔记恢复到旧版本 | 笔记回到之前的版本
| I want my note back the way it was | my note was overwritten | undo the changes to my note
| forget my edits to the draft | 笔记被改坏了恢复 | 稿子改回周五的样子 | 草稿退回上一版 | 撤销笔记的修改 | 文章还原成以前那样
note_remember: remember or keep in mind a fact or preference for later | do not forget that I prefer or like | 记住
| 以后都这样 | 记下我的偏好 | 别忘了我喜欢 | I like my coffee black, keep that in mind | always answer in German from now on
| my wife is called Eva, remember that | 我爱喝美式记着点 | 以后用中文回答 | 记着我不吃辣 | 下次也这样 | 我老婆叫小美你记住 | for the future, I
| note for yourself that I | 你记一下我
note_recall: what do you remember or know about me | what did I tell you about my preference earlier | 你还记得吗 | 我以前跟你说过
| 我的偏好是什么 | 回忆 | do you know how I like my reports | did I ever tell you my birthday | what was my preference
| 我说过我喜欢什么 | 你知道我的生日吗 | 我上次怎么跟你说的
note_list_memories: everything you remembered about me | 你记住了我哪些事 | what do you know about me
| show everything you stored about me | 你都知道我什么 | 你存了我哪些信息 | 关于我的记忆 | 你记了我什么
note_forget: forget what you noted about me | erase a memory | 忘掉 | 不要再记得 | 删除记忆 | never bring that up again
| wipe what you know about me | that is no longer true, drop it from memory | 别再提这件事 | 把关于我的都忘了 | 那个不对了别再记着 | 删掉你记的东西
| forget what I told you | 我刚才说的偏好不算了
`;
