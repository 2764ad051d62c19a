/** Texts of the inbox and of comments that are shown on other pages. */
export const inbox = {
  inbox: 'Inbox',
  unreadCount: '{count} unread',
  follow: 'Follow',
  unfollow: 'Stop following',
  noteComments: 'Comments',
  commentCount: '{count} {count|comment|comments}',
  deleteComment: 'Delete the comment',
  peopleToMention: 'People to mention',
};
