export const inboxPhrases = `
inbox_list_inbox: my notifications, mentions and messages | who mentioned me | 收件箱 | 谁提到我 | 新消息
| anything new addressed to me | did somebody answer me | is there something I should know | unread messages | 有人找我吗
| 有没有人回复我 | 有我的消息吗 | 谁@我了 | did I get any messages | what did people say to me | 有人给我发消息吗 | 谁回我了
inbox_mark_inbox_read: mark notifications as read | 标为已读 | clear my notifications | I have seen the messages | 消息全部已读
| 清掉红点 | 通知都看过了
inbox_follow: tell or notify me when somebody edits or changes this sheet, note or base | watch or follow it | 关注
| 有人改了告诉我 | 有更新提醒我 | keep me posted on this document | let me know if the budget changes | keep an eye on this note
| 这个表变了告诉我 | 盯着这个文件 | 有动静通知我一声 | tell me if anyone edits the contract | 谁改了合同告诉我
inbox_unfollow: stop telling me about it | 取消关注 | stop pinging me about that spreadsheet
| too many notifications about this note | 别再通知我了 | 不想再收到这个的提醒 | 不关注了
inbox_list_followed: what am I following or watching | 我关注了什么 | 我订阅了哪些
`;
