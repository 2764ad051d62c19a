/** English translations about the inbox and comments that are needed on pages other than the inbox. */
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
