import type { inbox as english } from '../en/inbox.ts';

export const inbox: Record<keyof typeof english, string> = {
  inbox: '收件箱',
  unreadCount: '{count} 条未读',
  follow: '关注',
  unfollow: '取消关注',
  noteComments: '评论',
  commentCount: '{count} 条评论',
  deleteComment: '删除评论',
  peopleToMention: '可提及的人',
};
