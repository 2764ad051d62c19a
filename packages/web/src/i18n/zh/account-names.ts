import type { accountNames as english } from '../en/account-names.ts';

export const accountNames: Record<keyof typeof english, string> = {
  profile: '个人资料',
  theme: '主题',
  language: '语言',
  apiKeys: 'API 密钥',
  readOnly: '只读',
  everything: '全部',
  connect: '连接',
  users: '用户',
  owner: '所有者',
  connectAgent: '接入智能体',
  audit: '审计日志',
  person: '用户',
  commandLine: '命令行',
  browser: '浏览器',
  spreadsheet: '表格',
  eventCount: '{count} 处变化',
};
