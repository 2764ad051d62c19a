export const wikiPhrases = `
wiki_create_media: upload by a program with credentials | upload a file in parts | 程序上传文件 | 分片上传 | 上传凭证
wiki_add_knowledge: add or put a note or saved conversation into a knowledge base
| file a note in a base and keep it fresh | 把笔记放进知识库 | 笔记加入知识库 | my note should be found in the library
| add a conversation to the base | 把这篇笔记收进资料库 | 笔记归档到库里 | 对话放进知识库
wiki_get_knowledge_base: description of a base | what is this library for | details of a base | 知识库的简介 | 这个库是干什么的
| 库的详情
wiki_get_knowledge_list: what is in this folder or base | list files | 文件夹里有什么 | 列出文件 | 目录内容
| what have we got in the contracts folder | show the files of the library | open a folder | browse the base
| 目录下放了些什么 | 库里都有什么 | 打开文件夹看看 | 文件夹里的文件 | 浏览资料库 | show what is in the library | list the documents of the project
| 项目库里有哪些文件 | 看一下这个文件夹
wiki_search_knowledge: find a file in one knowledge base | 在知识库里找文件 | find the contract in this library
| is there a file called Hansen | search in a folder | 在这个库里找合同 | 库里有没有这个文件 | 按名字找文件
wiki_search_knowledge_base: which knowledge bases are there | find a base by name | 有哪些知识库 | 找知识库
| which libraries can I see | list all bases | our collections | where is the base for purchasing | 我能看哪些资料库 | 公司有哪些库
| 都有什么知识库 | 资料库列表
wiki_get_addable_knowledge_base_list: where may I put files | which libraries may I add to
| which bases can I write to | 我能往哪些库里放东西 | 哪些知识库我可以上传 | 可以存到哪个库
wiki_check_repeated_names: is there already a file with this name | would these names clash | 有没有重名 | 同名文件已经有了吗
| 检查文件名是否重复
wiki_import_urls: save, grab or add a web page, article, site or link from the internet | keep this url | 保存网页
| 把网页存下来 | 收藏链接 | 网址加进知识库 | 网上的文章 | keep this blog post | clip the article | save what is on this website
| archive the page before it disappears | 公众号文章收进来 | 把这个链接存起来 | 收藏这篇网文 | 抓取网页 | 网站内容存一份
| read this website into the library | copy the article at this address | add this link to my library | 把这个网站加到库里
| 这个链接收藏一下
wiki_get_media_info: download the original file | link to the file itself | 下载原文件 | 原件
| I need the scan itself, not the text | the original pdf please | give me a link to download this document | 我要原版
| 原文件给我 | 扫描件原件 | 下载这个文档 | 拿到pdf本身 | the contract the way it was uploaded, with the signature
| the real file, not just its text | 带盖章的原件
wiki_create_knowledge_base: new library, collection or base | 新建知识库 | 建一个资料库 | a place to keep all our contracts
| start a collection on whales | somewhere to gather research | 建个库放合同 | 开一个新的资料库 | 我想有个地方放资料 | 给项目建个知识库
| open a new library for the project | 给新项目弄个资料库
wiki_update_knowledge_base: rename a knowledge base | change description or cover | 知识库改名 | 改知识库简介
| the library needs another cover | change what a base is called | recommended questions of a base | 库换个封面 | 资料库换名字
| 改一下库的介绍 | 知识库封面
wiki_delete_knowledge_base: delete a whole base or library | 删除知识库 | we don't need this library any more
| scrap a base with everything in it | 整个资料库不要了 | 这个库删了 | 知识库解散
wiki_create_folder: make a new folder or directory | 新建文件夹 | 建目录 | a folder for 2026 | subfolder for invoices
| a place for the scans in this library | 建一个放发票的目录 | 库里加个文件夹 | 开个子文件夹
wiki_upload_knowledge: upload or put a file, document or picture into the library or base | save this text as a file
| 上传文件 | 把文件放进知识库 | 存一张图片到知识库 | put these scans in the folder | store my cv | add the pdf from my mail
| drop photos into the library | file the spreadsheet in a base | 这些扫描件放进去 | 把附件存起来 | 照片传上去 | 把表格归档到库里 | 存这个文件
| add this document to the base | here is a pdf, keep it | attach the contract to the project library | 这个pdf放库里
| 文档传到知识库 | 把合同存进项目库
wiki_get_knowledge_content: read a file, pdf or document | what does the document or pdf say | content of a file | 读文件
| 看看文档里写了什么 | 文件内容 | PDF里写了什么 | read page three of the report to me | summarize this document
| what is in the attachment | full text of the handbook | 总结一下这个文档 | 报告第三页讲什么 | 读一下附件 | 把文件念给我听 | 概括这份资料
| give me the key points of the pdf | what is this file about | translate this document | open the contract | 这个文件讲什么
| 要点列一下 | 打开合同看看 | 翻译一下这个文档
wiki_get_knowledge_state: is the upload ready, done, finished or processed | why did reading or parsing a file fail
| 文件处理完了吗 | 上传好了没有 | 解析失败原因 | 传上去了没有 | can I search in my upload yet | is my pdf still being processed
| what went wrong with my upload | 我传的文件能搜了吗 | 还在处理吗 | 文件状态 | 为什么读不了
wiki_find_duplicates: duplicates | files that are there twice or more | same file uploaded several times | 重复的文件
| 传了两遍的文件 | 一样的文件 | do we have this document already | files that are identical | clean up copies of the same file
| 有没有存重了的 | 内容一样的文档 | 这个文件是不是已经有了 | 清理重复文件 | I think we have this report twice
| delete copies, which files are the same | 这份报告好像存了两次
wiki_view_workbook: look at the excel file in the library with its colors and charts | 看看库里的excel长什么样 | 预览工作簿
wiki_search_all: search everything | which documents, files or notes mention something | where did I write about
| find anything about | 到处找 | 哪里提到过 | 全部搜索 | 搜一下所有资料 | find me the invoice from Hansen
| anything we have on this customer | everything with the word mast | where is that thing about the boat | 有没有关于他的东西
| 跟这个客户有关的都找出来 | 那份发票在哪 | 找一下那个东西 | 所有地方搜 | do we have anything about pumps | where did I put the insurance papers
| everything that mentions Anna | look for the word tender | 保险单放哪了 | 有没有水泵的资料 | 凡是提到他的
wiki_search_passages: what exactly does the contract, policy, report or document say about something
| answer from documents with a quote, source or citation | look it up in the files | 合同里怎么说 | 引用原文回答 | 规定是什么 | 根据资料回答
| 出处 | how many days of leave do we get according to the handbook | what is the rule on travel
| who approves the budget | what do our papers say on warranty | 报销标准是多少 | 手册里怎么规定 | 请假几天要谁批 | 查一下制度 | 文档里有没有说 | 保修多久
| what is the password policy according to our wiki | when does the meeting start according to the invitation
| is there anything about parental leave | 通知里怎么写的 | 合同里有没有写 | 会议几点开始 | what does it say about cancellation
| how long is the warranty | are dogs allowed according to the house rules | what is our policy on home office | 退货有几天
| 在家办公的规定 | 能不能带狗 | 合同里违约怎么算
wiki_rename_knowledge: rename an item or folder of a base | 文件改名 | 文件夹改名 | the contract has a wrong file name
| call this document something else | give the folder another title | 文件名写错了 | 合同名字改一下 | 目录换个名字 | 文档改名
| rename the pdf | the file should be called offer 2026 | pdf改个名字
wiki_move_knowledge: move or put a file into a folder or another base | 移动文件 | 把文件放到文件夹 | 归到文件夹里 | 归类
| this is in the wrong folder | sort the files into folders | put the report with the finance files | 放错文件夹了 | 挪到财务那边
| 文件整理到目录里 | 报告换个目录 | put this file into the folder Contracts | get these documents out of that folder | 把这个文件放到合同目录
wiki_copy_knowledge: copy a file or folder to another base | 复制文件到另一个知识库
| have the same folder in the other library too | one more of this document over there | 另一个库也放一份 | 文件夹复制过去
| 文件再放一份到别的库
wiki_delete_knowledge: delete a file or folder | 删除文件 | 删掉文件夹 | throw this document away
| we don't need this report any more | the scan can go | 这个文件不要了 | 把这份资料扔了 | 目录删了 | 报告没用了 | remove the old brochure
| delete the folder with all files | 旧的宣传册删了 | 把这个文件夹连里面的都删了
wiki_restore_knowledge: get a deleted file or folder back | 恢复删除的文件 | 文件找回来
| the report I deleted yesterday is still needed | bring the erased folder back | undelete a document | 误删的报告找回
| 删掉的目录还能回来吗 | 文件删错了 | 合同被删了要恢复 | take everything out of the bin | 从垃圾桶拿出来 | I deleted the wrong file
| the contract is gone, get it back | 删错文件了 | 合同不见了找回来
wiki_list_deleted: trash of a base | which files were deleted | 知识库回收站 | which documents are in the bin of the library
| is the deleted file still there | 库里删了哪些文件 | 被删的文件还在吗 | 资料库的垃圾桶
wiki_set_knowledge_top: pin a folder to the top | 文件夹置顶 | have this folder always come first
| the most important folder on top | 这个目录放最前面 | 文件夹永远排第一 | 把目录顶上去
wiki_replace_knowledge: replace a file by a newer version | update a document with a new file | 用新文件替换 | 换成新版本的文件
| the handbook was revised, put the new pdf in its place | newer edition of a document | 手册出新版了换上 | 旧文件换新 | 更新这份pdf
| 合同改版了替换掉 | upload a corrected version of the contract over the old one | 改好的合同覆盖旧的
wiki_retry_knowledge: try again to read a file that failed | 重新解析 | 再试一次
| the document came out empty, read it once more | the page could not be loaded, try again
| the password of the pdf was wrong | 文件没读出来再读一次 | 网页没抓到再试试 | 解析出来是空的
wiki_add_tag: tag or label a document, file or item | stick a label on a document | 给文件加标签 | 文件贴标签 | 打标签
| mark this document as urgent | this contract belongs to the topic Velox | keyword for a file | 标成紧急 | 这份合同打个标
| 文件加关键词 | 标记为重要 | put the word urgent on this file | 给这个文件写上紧急
wiki_remove_tag: remove a tag or label from a document | 去掉标签 | take the label off this report
| the document is not urgent any more | 标签拿掉 | 把这个标记去掉 | 不再是紧急
wiki_list_tags: all tags or labels in use | 用过哪些标签 | what is labelled urgent | everything tagged review
| show what has this label | which keywords do we use | 标了紧急的有哪些 | 带这个标签的全部 | 有什么标签 | 哪些是标记过的
| show me all things with the tag travel | 打了旅行标签的东西
wiki_list_members: who can see or has access to this knowledge base | members of a base | 谁能看这个知识库 | 知识库成员 | 谁有权限
| who is in this library | who can open the project base | 这个库有哪些人 | 谁能进这个资料库 | 库成员名单
| who can get into the project library | 项目库里都有谁
wiki_set_member: add or invite somebody to a knowledge base | give a colleague access to a base | 把人拉进知识库 | 邀请加入知识库
| 知识库加成员 | make Nina an editor of the library | let Tom into the base | she should be able to add files to the base
| change somebody's role in the base | 让小王也能往库里传 | 让他能看这个库 | 库里加一个人 | 把他设成库的编辑
| let the intern put files into this library too | 让实习生也能传文件
wiki_remove_member: remove somebody from a knowledge base | 把人移出知识库 | make Peter leave the library
| Tom is no longer part of the project base | throw somebody out of the base | I want to leave this library | 把他请出这个库
| 退出知识库 | 库里去掉一个人 | 不让他进资料库
wiki_export_knowledge_base: download a whole knowledge base | backup of all files | 导出整个知识库 | 打包下载
| the whole archive as a zip | save everything of this library on a disk | 整个库下载下来 | 资料库备份 | 全部文件打个包
| back up the library | download all documents of the project | 项目库全部下载
wiki_create_session: save this conversation or chat | 保存对话 | keep this chat for later | store what we talked about
| 把我们聊的存下来 | 保存聊天记录 | 这段对话留着
wiki_append_session: add messages to the saved chat | continue the stored conversation | 聊天记录接着存 | 往保存的对话里加
wiki_get_session: read an earlier conversation | what did we talk about last time | 以前的聊天记录 | 看看上次的对话 | 打开保存的对话
wiki_delete_session: delete a saved chat | 删除聊天记录 | 保存的对话不要了
`;
