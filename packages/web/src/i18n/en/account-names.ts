/** English translations of terms of the account pages that are also shown on other pages. */
export const accountNames = {
  profile: 'Profile',
  theme: 'Theme',
  language: 'Language',
  apiKeys: 'API keys',
  readOnly: 'Read only',
  everything: 'Everything',
  connect: 'Connect',
  users: 'Users',
  owner: 'Owner',
  connectAgent: 'Connect an agent',
  audit: 'Audit log',
  person: 'Person',
  commandLine: 'Command line',
  browser: 'Browser',
  spreadsheet: 'Spreadsheet',
  eventCount: '{count} {count|change|changes}',
};
