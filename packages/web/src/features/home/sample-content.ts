import type { Language } from '../../i18n/use-translation.ts';

export interface SampleContent {
  note: string;
  noteTitle: string;
  baseName: string;
  baseAbout: string;
  folder: string;
  files: readonly { name: string; text: string; inFolder: boolean }[];
  sheetTitle: string;
  csv: string;
  chart: string;
}

export const sampleContent: Record<Language, SampleContent> = {
  en: {
    noteTitle: 'Welcome to sheaf',
    note: [
      '# Welcome to sheaf',
      'This is a note. It saves itself, keeps every version, and an agent with one of your keys can write here too.',
      '## Try it',
      '- [ ] Press **Ctrl K** (Cmd K on a Mac) and search for *barley*\n- [ ] Open the history of this ' +
        'note from its menu\n- [ ] Make a key under **Account** and let your agent append a line here',
      '> Whatever the page does is an operation that anyone with a key can call.',
    ].join('\n\n'),
    baseName: 'Sample: the farm',
    baseAbout: 'A few texts to search in. Drop files of your own on the page to add them.',
    folder: 'Fields',
    files: [
      {
        name: 'barley.md',
        inFolder: true,
        text: '# Barley\n\nBarley likes cool spring weather and light soil. Sow in March, harvest in July.\n\nKeep it two years away from the same field.\n',
      },
      {
        name: 'harvest-checklist.md',
        inFolder: false,
        text: '# Before the harvest\n\n- Look at the weather for five days\n- Sharpen the blades\n- Empty the barn\n',
      },
    ],
    sheetTitle: 'Sample: yield',
    csv:
      'Year,Barley,Rye,Total,Growth\n2023,42,30,=B2+C2,\n2024,45,28,=B3+C3,=D3/D2-1\n' +
      '2025,51,33,=B4+C4,=D4/D3-1\n2026,48,36,=B5+C5,=D5/D4-1\n' +
      'Average,=AVERAGE(B2:B5),=AVERAGE(C2:C5),=AVERAGE(D2:D5),=AVERAGE(E3:E5)\n\nChange a number above ' +
      'and watch the sums and the chart; Ctrl Z takes it back.\n',
    chart: 'Yield',
  },
  zh: {
    noteTitle: '欢迎使用 sheaf',
    note: [
      '# 欢迎使用 sheaf',
      '这是一篇笔记。它会自动保存并保留每个版本，持有你密钥的智能体也可以在这里书写。',
      '## 试一试',
      '- [ ] 按 **Ctrl K**（Mac 上为 Cmd K）搜索“大麦”\n- [ ] 从菜单打开这篇笔记的历史记录\n- [ ] 在**账户**中新建密钥，让智能体在这里追加一行',
      '> 页面能做的一切，都是任何持有密钥的人可以调用的操作。',
    ].join('\n\n'),
    baseName: '示例：农场',
    baseAbout: '几篇可供检索的文本。把你自己的文件拖进页面即可添加。',
    folder: '田地',
    files: [
      {
        name: '大麦.md',
        inFolder: true,
        text: '# 大麦\n\n大麦喜欢凉爽的春天和疏松的土壤。三月播种，七月收割。\n\n同一块地应间隔两年再种。\n',
      },
      { name: '收割清单.md', inFolder: false, text: '# 收割之前\n\n- 查看五天的天气\n- 磨好刀片\n- 清空谷仓\n' },
    ],
    sheetTitle: '示例：产量',
    csv:
      '年份,大麦,黑麦,合计,增长\n2023,42,30,=B2+C2,\n2024,45,28,=B3+C3,=D3/D2-1\n2025,51,33,=B4+C4,=D4/D3-1\n' +
      '2026,48,36,=B5+C5,=D5/D4-1\n平均,=AVERAGE(B2:B5),=AVERAGE(C2:C5),=AVERAGE(D2:D5),=AVERAGE(E3:E5)\n\n' +
      '改动上面的数字，看合计与图表随之变化；Ctrl Z 可撤销。\n',
    chart: '产量',
  },
};
