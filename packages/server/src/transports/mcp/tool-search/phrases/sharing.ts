export const sharingPhrases = `
sharing_share: share a note, notebook or base with a person, colleague or group | let somebody read or edit it | 分享笔记
| 共享给同事 | 让别人看 | let my boss look at the report | give the team my notes | work on the draft together with Ann
| show my notebook to Tom | 让领导看看这份报告 | 把笔记本给小王看 | 和同事一起写 | 给全组开放 | 共享知识库给别人 | Maria should be able to read my note
| open the notebook for the whole team | 让小王看我的笔记 | 这个笔记本给全组看 | give the whole company read access | 发给全公司只读
sharing_unshare: stop sharing with somebody | take access away | 取消分享 | 收回权限 | stop Bob from seeing my notes
| she should no longer open my draft | take my notebook back from the team | 不让他看我的笔记了 | 撤回给小李的共享 | 别再给他看 | 收回共享
| Maria should not read my note any more | 小王不该再看到我的笔记
sharing_list_shares: who is it shared with | who has access | 分享给了谁 | 谁有权限看 | who else can open my diary
| whom did I give this to | is my note private | 谁能打开我的日记 | 这个给谁看过 | 我都分享给了谁 | 还有谁能看
sharing_list_shared_with_me: what do others share with me | what did people give me | 别人分享给我的 | 别人给我看的东西 | 共享给我
| things other people let me see | 同事给我看的文件 | 谁给我分享了东西 | 别人共享的
sharing_list_people: who may read this | 谁能看到 | whom can I mention here | who may read this document | 能@谁 | 有哪些人可以看这篇
sharing_publish: public page of a note, notebook or base anyone can read | 发布到网上 | 公开笔记
| put the notebook on the web for everyone | a web page of my note | anyone should be able to read my article
| 文章公开给所有人 | 笔记发到网上 | 把知识库公开 | 生成一个谁都能看的网址 | post my note on the internet | 笔记公开让大家看
sharing_list_published: which of my notes are public | what have I put on the web | 我公开了哪些 | 有哪些公开链接 | 公开了没有
sharing_unpublish: end a public link of a note or base | no longer public | 取消公开 | 停止发布 | take my article off the web
| make my notebook private again | the public page must go | 文章不再公开 | 把公开的笔记撤下来 | 网上那个页面关掉
`;
