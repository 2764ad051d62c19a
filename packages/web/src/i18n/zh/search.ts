import type { search as english } from '../en/search.ts';

export const search: Record<keyof typeof english, string> = {
  searchLead: '提出问题或输入关键词，答案段落来自你能看到的全部内容。',
  askPlaceholder: '提出问题，或输入关键词…',
  askSomething: '想找什么？',
  askSomethingHint: '文件、网页、笔记和表格会一起搜索。',
  nothingFoundHint: '换几个词，或减少筛选条件。',
  searchEverything: '在全部内容中搜索“{query}”',
  filters: '筛选',
  filterKind: '类型',
  filterBase: '知识库',
  filterDate: '修改时间',
  filterAuthor: '作者',
  clearFilters: '清除筛选',
  anyBase: '任意知识库',
  anyTime: '任意时间',
  pastDay: '过去一天',
  pastWeek: '过去一周',
  pastMonth: '过去一月',
  pastYear: '过去一年',
  anyone: '任何人',
  byMe: '我',
};
