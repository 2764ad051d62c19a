/**
 * Concepts by which requests of agents are matched with tools, each with its English and Chinese expressions: one
 * concept per line, expressions between bars. A request and a tool with a common concept match even if they have no
 * common word. `…` stands for a few words or characters. A longer expression takes precedence over a shorter one inside
 * it: "knowledge base" is not a "base".
 */
const actions = `
create: create | make | new | build | set up | start | open a | need a | draft | generate | establish | blank | 新建
| 创建 | 建 | 新开 | 开一个 | 开个 | 做一个 | 做个 | 弄一个 | 弄个 | 来一个 | 来个 | 搞一个 | 搞个 | 生成 | 新增 | 起草 | 空白 | launch | compose | prepare
| put together | come up with | assemble | begin a | 起一个 | 拟 | 写个
| i want a | we need a | could you set up | can you make | give me a new | 我想要一个 | 帮我弄 | 帮我建 | 帮我做 | 需要一个
add: add | put … in | put … into | include | insert | attach | 加 | 添加 | 加上 | 加入 | 放进 | 放到 | 塞进 | 加进 | 添 | 插入 | 插
delete: delete | remove | throw … away | throw … out | throw away | throw out | get rid | bin | binned | trash … this
| erase | wipe | drop | scrap | discard | dump | don't need … any more | do not need … any more | no longer need
| clean out | destroy | 删 | 删除 | 删掉 | 删了 | 不要了 | 扔 | 扔掉 | 丢掉 | 去掉 | 拿掉 | 除掉 | 清理 | 干掉 | 抹掉 | 撤掉 | 移除 | 用不着 | 没用了
| take … down | strike | cut out | lose the | shred | get … off | does not belong | doesn t belong | 划去 | 剪掉 | 去除 | 砍掉
| no need for | not needed | superfluous | obsolete | remove … from | take … out of | can go | must go | get lost | 多余
| 没必要 | 不需要了 | 作废的 | 过期的
restore: restore | recover | undelete | get … back | bring … back | put … back | want … back | have … back
| give … back | bring back | rescue | revive | salvage | by mistake | by accident | accidentally | 恢复 | 找回 | 找回来 | 还原
| 拿回来 | 救回来 | 弄回来 | 要回来 | 捞回来 | 误删 | 不小心 | 手滑 | is gone | are gone | disappeared | vanished | gone missing
| went missing | got lost | still need | need … back | deleted by | my kid | not there any more | 不见了 | 没了 | 消失 | 丢失
| 删错 | 我还要 | 还需要 | 弄丢 | out of the bin | out of the trash | from the trash | from the bin | unbin | resurrect | 从回收站
| 拿出来
| by accident removed | removed by mistake | wrongly deleted | should not have deleted | 不该删 | 删多了
undo: undo | take … back | revert | roll … back | reverse | cancel … change | mess … up | mess up | screw … up
| forget what … did | wrong step | 撤销 | 撤回 | 退回 | 取消刚才 | 回退 | 不算 | 反悔 | 搞乱 | 弄乱 | 改乱 | 弄坏 | 上一步 | was wrong | oops
| i regret | changed my mind | as if nothing | never mind | go back one step | 弄错 | 改错 | 当没发生 | 后悔
| not what i wanted | did not mean | didn t mean | unwanted | go back to before | 不是我要的 | 不对退回 | 改回去 | 改回来 | 变回去
| 回到刚才
rename: rename | name … differently | another name | another title | new name | new title | call … instead | call it
| call … something | retitle | change the name | change the title | 改名 | 重命名 | 换个名字 | 换名字 | 名字改 | 名称改 | 标题改 | 改标题
| 改成另一个名字 | 叫做 | 改叫 | 名字写错 | 名字换 | should be called | should be named | a better name | name is wrong | wrong name
| misnamed | 取个名字 | 起个名字 | 名称写错 | 换个标题 | 叫…更好
move: move | shift | relocate | transfer | put … under | drag … to | put … elsewhere | put … first | reorder | 移 | 移动
| 移到 | 挪 | 挪到 | 搬 | 搬到 | 换个位置 | 换位置 | 归到 | 转到 | 放错 | 调到 | 拖到 | wrong place | wrong folder | belongs in | belongs to
| belongs into | in one place | together in | sort … into | tidy up | tidy | organize | organise | switch places
| further up | further down | 整理 | 归置 | 归类 | 收拾 | 放一起 | 集中 | 换到
| put … in one | put … in the notebook | put … in the folder | put … into the folder | put … into the notebook
| goes into | should go into | should come before | should come after | come before | next to each other | 放在一起 | 放到…里
| 归到…里 | 换一下 | 对调 | 调换
copy: copy | duplicate | clone | another one like | same … as well | same … too | second … like | replicate | 复制 | 拷贝
| 再来一份 | 再来一张 | 一样的 | 照样 | 副本 | 抄一份 | 备一份 | 再做一份 | 同样的 | template | same layout | once more for | like last year
| same again | make another | 模板 | 照着 | 照去年 | 再复制 | 一模一样的
read: read | show | open | look at | see | view | display | what does … say | what is in | what's in | what is on
| tell me what | contents of | go through | 读 | 看 | 看看 | 看一下 | 打开 | 念 | 写了什么 | 写了啥 | 讲什么 | 讲了什么 | 说了什么 | 内容 | 显示
| gist | key points | sum … up | summarize | summarise | tell me about | main points | 总结 | 概括 | 要点 | 归纳 | 大意 | 翻出来
| 瞧 | pull up | bring up | skim | preview | peek | can i see | let me see | have a look | i need the | what happens in
| 给我看 | 给我看看 | 瞅 | 预览 | 调出来
| what stands in | what does it contain | contents | read … aloud | read … out | tell me what is in | give me the text
| explain what … says | 说的啥 | 里面有啥 | 有啥 | 给我讲讲
list: list | which … are there | what … are there | all my | all our | all the | show all | what have i got
| what do i have | overview of all | how many … do i have | 有哪些 | 列出 | 都有哪些 | 有什么 | 有几个 | 有几张 | 哪几个 | 清单 | 放了些什么 | 都有谁
| 有谁 | 都有什么
| what tables | what files | which files | which documents | which spreadsheets | what is left | 还有几个 | 还剩 | 剩下 | 哪里有
| 在哪里
search: find | search | look for | look up | locate | where is | where are | where did i | which … mention
| which … contain | dig up | hunt for | 找 | 找找 | 搜 | 搜索 | 查找 | 查一下 | 查 | 在哪 | 在哪里 | 哪里 | 哪儿 | 翻一下 | 提到
| must be … somewhere | in here somewhere | cannot find | can not find | lost the | where did … put | any trace of
| 找不到 | 翻出来 | 放哪 | 放哪儿 | 存哪 | 哪去了 | 哪去 | any mention | anything about | anything on | something about | something on
| do we have on | have we got on | dig out | track down | pull up | about | on the subject | 关于 | 有没有 | 翻翻 | 搜搜
| appear | appears | occur | occurs | come up | comes up | is there a | is there any | do we have | do i have
| have we got | which of | 出现 | 有关 | 相关 | 哪份 | 哪一份 | 提过 | 写到
edit: edit | change | correct | fix | typo | modify | amend | adjust | tweak | update | wrong | 改 | 修改 | 改一下 | 更正 | 改正
| 写错 | 错字 | 编辑 | 调整 | 改成 | 订正 | 润色 | spelled wrong | misspelled | spelling | mistake in | out of date | should say
| should read | should be … instead | 不对 | 有误 | 过时 | 应该是 | 改为
rewrite: rewrite | completely different | from scratch | whole text | entire text | start over | 重写 | 全部重写 | 推倒重来
| 整篇换
replace: replace | swap | substitute | exchange | 替换 | 换成 | 全换成 | 都换成 | 全部换 | 统统换 | 全改成 | change … to | turn … into
| from … to | becomes | instead of | 从…改成 | 由…改为
everywhere: everywhere | all occurrences | every occurrence | each time | every time | wherever | throughout | in all
| across all | 到处 | 所有地方 | 全部 | 所有 | 全都 | 每一处 | 每处
append: append | at the end | to the end | add to | continue | underneath | below the | bottom of | tack on | 末尾 | 最后加
| 后面加 | 后面补 | 追加 | 续写 | 接着写 | 再加上 | 再补 | 最后一行 | 末尾加 | 补一条 | 添一笔 | 加一条 | 记一笔 | one more | another line | another row
| another item | also | new entry | at the bottom | 还有一条 | 多加 | 再来一条 | 再记 | 登记 | 新来
write: write | jot … down | jot down | note down | put … down | take down | record | type | enter | fill | key in
| log | 写 | 写下来 | 写下 | 记下 | 记下来 | 记录 | 填 | 填上 | 填写 | 录入 | 输入 | 填进 | 写一篇 | 记成 | 写进 | numbers from | put … figures
| note that | write up | protocol | put … in writing | 列成 | 整理成 | 补上 | 补零 | 贴进 | 贴到
| dictate | transcribe | minutes of this | take the minutes | write a | compose | put … on record | 会议记录 | 转成文字 | 文字存成
compare: compare | difference | differ | different | versus | what changed between | what is new in | diff | 比较 | 对比
| 区别 | 差别 | 差在哪 | 不同 | 哪里不一样 | 有什么变化 | 不一样
share: share | give … access | let … see | let … read | let … edit | let … look | let … view | let … open
| let … change | let … in on | allow … to see | allow … to read | allow … to edit | allow … to open | access for
| show … to my | collaborate | work on … together | 分享 | 共享 | 让…看 | 给…看 | 让…编辑 | 让…改 | 发给 | 开放给 | 开权限 | 给…权限 | 一起编辑
| 一起改 | 协作 | login for | can see | could see | able to see | able to read | able to edit | able to open | can … access
| show … the | pass … on to | give … my | get … look | 能看 | 能改 | 能看到 | 能编辑 | 看得到 | 也能看 | 也能改 | 给他开 | 给她开 | hand … to
| forward … to | invite … to edit | so that … can see | so … can see | so … can edit | 转给 | 抄送
| to the whole company | to everybody in | for the whole team | read only | read-only access | view only
| send … to my colleagues | 发给全 | 给全公司 | 给全组 | 只读 | 全公司 | 全体 | 发给大家 | 给…编辑 | 给…看看
unshare: unshare | stop sharing | take … access away | revoke access | no longer see | not see | stop … from seeing
| should not see | shouldn't see | remove … access | withdraw | 取消分享 | 取消共享 | 收回 | 收回权限 | 不让…看 | 不要让…看 | 别让…看 | 不想让…看
| 不再分享 | 撤回共享 | 撤回…共享 | 不给…看 | must not see | must not open | should no longer | may no longer | must no longer
| can no longer | not be able to | not … any longer | none of … business | 不能再 | 别再让 | 不让他 | 不让她 | 不该看 | 不能看了 | 不许看
member: member | invite | join | belongs to | take part | bring … into | let … into | 成员 | 邀请 | 加入 | 拉进 | 拉到 | 拉人 | 进组
| 加人 | work with us on | part of the | contribute | also put files | 一起用 | 也能传 | 也能上传 | 让…传
| access to our library | into our library | join our library | 进我们库 | 加进库
leave: leave | kick … out | kick out | take … off | take … out | throw … out of | expel | exclude | no longer part
| not belong | 移出 | 踢出 | 踢掉 | 请出去 | 退出 | 剔除 | 不再是 | moved to another department | transferred | out of the
| changed departments | 调走 | 转岗 | 调岗 | 不在这个 | 换部门 | 离开 | remove … from | take … from | delete … from the group | 从…移除
| 从…去掉 | 从…拿掉 | 从…移出 | 从…踢
end: end | stop | close | disable | switch … off | turn … off | turn off | deactivate | shut … down | kill | invalid
| no longer work | cancel | 停 | 停止 | 关闭 | 关掉 | 停用 | 结束 | 失效 | 作废 | 取消 | 终止 | 断开 | 关了 | 下线 | must not work
| should not work | should stop | not work any | 不能用 | 别再 | 不再
pause: pause | for a while | temporarily | suspend | on hold | for now | 暂停 | 先停 | 停一停 | 停一下 | 暂时
block: suspend | lock … out | block | ban | quit | resign | left the company | no longer work here | fired | former
| 停用 | 停掉 | 离职 | 封禁 | 禁用 | 走人 | 辞职 | 冻结账号 | left us | gone for good | not with us | no longer with us | sacked
| let go | dismissed | 不干了 | 开除 | 被辞 | 别让他登录 | 走了
| stop … access | cut … access | end … access | on leave | parental leave | maternity leave | sabbatical
| on holiday until | 休假 | 产假 | 长期请假 | 暂时不来
resume: resume | reactivate | unblock | enable | let … in again | allow … again | is back | came back | return from
| 恢复账号 | 解封 | 启用 | 回来上班 | 重新开通 | 解除
invite-new: new colleague | new employee | new hire | new member | joining us | joins us | starts … work | starts on
| newcomer | 新同事 | 新人 | 新员工 | 入职 | 新来的 | new girl | new guy | new woman | new man | new person | newbie | new starter
| new in | new boss | new intern | 新来 | 刚入职 | 刚来
hide: hide | conceal | out of sight | collapse | hidden | hid | 隐藏 | 藏起来 | 藏 | 收起 | 收起来 | 不显示 | fold | put away
| invisible | 折叠 | 不想看到 | 别显示
unhide: unhide | show … again | make … visible | reveal | uncover | bring back … hid | hidden rows | hidden columns
| 显示出来 | 取消隐藏 | 露出来 | 隐藏的 | 藏起来的
clear: clear | empty | blank out | remove the contents | reset | wipe the | 清空 | 清掉 | 清除 | 抹去 | 空掉
upload: upload | hand in | put … scan | put … file | put … document | put … picture | put … photo | store … file
| save … file | drop … file | 上传 | 传上去 | 传到 | 传上来 | 存进 | 存到 | 放文件 | 交上去 | put the attachment | get … into the library
| scan … into | 传到文件夹 | 上传到 | 收到库里
| file … away | put … in our library | save … in the library | keep … in the library | store …
| into the project library | 存到库 | 放进库 | 存成文档 | 收进库
download: download | export | save … as | send … back | send me | as an xlsx | as excel | as a file | as a pdf
| get … out | offline | on my disk | to my computer | 导出 | 下载 | 存成 | 存下来 | 另存 | 导出来 | 发我 | 转成 | wants … as
| wants … excel | as csv | as a csv | as word | as a word | as pdf | copy for my | mail me | take … with me | 要一份excel
| 转成excel | 导成 | 拷出来 | 要excel
| as a word file | as a pdf file | in excel format | csv file of | put … on a stick | 给我一个文件 | excel版 | 转成pdf | 存到本地
| 拷贝到电脑
import: import | convert | turn … into | open … file | open … here | load | bring … in | 导入 | 转成表格 | 转换 | 变成可以编辑
| 变成在线 | 打开…文件
retry: retry | try again | try … again | another go | another try | once more | have another | again please | 重试 | 再试
| 重新解析 | 重新读 | 重来一次 | 再读一次 | 再来一次
pin: pin | on top | to the top | at the top | come first | comes first | first in the list | stick | 置顶 | 放最前 | 排最前
| 排在最前 | 放在最上 | 最上面 | 永远第一
remember: remember | keep in mind | memorize | don't forget | do not forget | bear in mind | for next time
| from now on | always | never | i prefer | i like | i hate | 记住 | 记着 | 记得 | 以后 | 别忘 | 牢记 | 我喜欢 | 我爱 | 我不喜欢 | 偏好 | 习惯
| take … into account | in future | in the future | i am allergic | i m allergic | i am | i m | my birthday | call me
| i work | i live | we always | 我是 | 叫我 | 我家 | 我住 | 我生日 | 过敏 | 以后…都 | 每次都 | 今后 | 往后
| my favorite | my favourite | i don t like | please note that i | for later | next time | keep to | 我最喜欢 | 我讨厌
| 我对…过敏 | 下次 | 一直用 | 我习惯
forget: forget | erase … memory | don't remember | never bring up | no longer true | stop remembering | 忘掉 | 忘了 | 别再记
| 不要记 | 别再提 | 不要再提
recall: do you remember | do you know about me | what did i tell | what did i say | did i mention | know about me
| did i ever | 记得我 | 我说过 | 跟你说过 | 知道我 | 告诉过你 | 还记得
check: check | verify | make sure | add up | correct numbers | right numbers | proofread | validate | is … right
| are … right | mistakes | errors | error | 检查 | 核对 | 核一下 | 核实 | 对不对 | 有没有错 | 算错 | 验证 | 出错 | 报错 | 错误 | 查错
| something is off | looks wrong | off by | does not add | doesn t add | ref error | value error | na error | ref
| go over | double check | 怪怪的 | 不平 | 对不上 | 加起来不对 | 把关
explain: explain | what is this … about | what's this … about | make sense of | understand | summary of | structure
| 解释 | 讲的是什么 | 是干什么的 | 做什么的 | 概览 | 看不懂 | 什么结构
cause: why | where does … come from | come from | calculated | computed | depends on | based on | origin | 为什么 | 怎么来的
| 怎么算 | 哪来的 | 来源 | 根据什么 | 依据 | how come | what makes | reason for | feeds into | made up of | 凭什么 | 咋来的 | 怎么得出 | 由什么
accept: accept | agree | say yes | approve | take over … suggestions | reject | refuse | decline | 同意 | 接受 | 采纳 | 通过
| 拒绝 | 驳回 | 不采纳 | take … suggestion | fine with me | ok with me | turn … down | looks good | 没问题 | 可以改 | 按他说的
mention: mention | addressed to me | for me | concerns me | reply | replied | 提到我 | 艾特 | @我 | 找我 | 回复 | 给我的
follow: follow | watch | keep me posted | tell me when | let me know | notify me | keep an eye | alert me | 关注 | 告诉我
| 通知我 | 提醒我 | 盯着 | 留意 | 跟踪 | inform me | ping me | heads up | whenever … changes | if … changes | when … changes | 有改动
| 一有变化 | 有变动 | 说一声
unfollow: unfollow | stop telling | stop notifying | stop pinging | stop bothering | stop alert
| don't want … notification | mute | 取消关注 | 不用通知 | 别再通知 | 不要再通知 | 别提醒 | 别再提醒 | 不要提醒 | 不想收到 | 别吵
`;

const things = `
person: person | people | user | colleague | coworker | employee | staff | teammate | boss | manager | intern | friend
| customer's | somebody | someone | anybody | him | her | he | she | anna | ann | peter | tom | lisa | nina | sara
| sarah | bob | john | jane | maria | paul | max | david | mike | emma | laura | alice | eva | lucy | kate | james
| julia | 人 | 同事 | 员工 | 用户 | 老板 | 领导 | 实习生 | 朋友 | 经理 | 主管 | 小王 | 小李 | 小张 | 小刘 | 小陈 | 小赵 | 小周 | 小吴 | 小孙 | 小林 | 小杨 | 小黄
| 老王 | 老李 | 老张 | 张三 | 李四 | 王五 | 大家 | 别人 | 他们 | girl | guy | woman | man | kid | child | wife | husband | accountant
| assistant | secretary | student | partner | client | 老刘 | 老陈 | 小朱 | 小马 | 小胡 | 小郭 | 小何 | 会计 | 助理 | 学生 | 老师 | 老婆 | 孩子
| 财务 | 人事 | 他 | 她 | kevin | chris | mark from | steve | susan | karen | linda | tim | ben | sam | lena | marie
| sophie | felix | martin | thomas | michael | andreas | george | henry | jack | olivia | mia | frank | rachel | 小徐
| 小郑 | 小高 | 小罗 | 老周 | 老赵 | 老吴 | 老板娘 | 部长 | 总监 | 王总 | 李总 | 张总
outsider: without an account | without account | no account | anyone | everyone | everybody | whole world | public
| outside | strangers | customers | clients | on the web | on the internet | 外人 | 没有账号 | 没账号 | 所有人 | 任何人 | 谁都能 | 谁都可以
| 公开 | 客户 | 外面的人 | 外部 | 不用登录 | 发布 | 网上 | client | visitors | press | without signing in | without logging in
| send around | post … online | 来访 | 媒体 | 粉丝 | 网友
| outside the company | external | outside our | outsiders | 公司外 | 外人看 | 外面
account: account | 账号 | 账户 | 帐号
group: group | team | department | crew | 群组 | 小组 | 组 | 团队 | 部门 | 分组
password: password | passcode | 密码 | 口令
device: phone | laptop | computer | tablet | device | browser | ipad | pc | machine | 手机 | 笔记本电脑 | 电脑 | 平板 | 设备 | 浏览器
login: log in | logged in | sign in | signed in | login | session | sign out | log out | logged on | 登录 | 登入 | 登出 | 登陆
| 在线 | 退出登录
| signed on | entered my account | using my account | got into my account | 登录过 | 登过 | 进过我的账号 | 用我的账号
lost: stolen | lost | leaked | 丢了 | 被偷 | 偷了 | 泄露 | 泄漏
app: app | apps | application | integration | connected | chatgpt | claude | plugin | 应用 | 软件 | 连接的 | 接入 | 插件 | 授权的
key: api key | access token | token | secret key | api | keys | credentials | 密钥 | 令牌 | 秘钥 | 访问凭证 | 接口
| machine access | robot | bot | automation | script | program | 机器人 | 脚本 | 程序 | 自动化
webhook: webhook | callback | our server | my server | my url | a url whenever | endpoint | push | delivery
| deliveries | 回调 | 推送 | 通知地址 | 服务器 | 钩子 | 接口地址 | slack | teams | zapier | automatically send | http | trigger | 钉钉
| 企业微信 | 飞书 | 自动发 | 触发
profile: avatar | display name | profile | my picture | my photo | my name | time zone | timezone | language | 头像 | 昵称
| 显示名 | 个人资料 | 时区 | 语言 | 我的名字 | 个人信息 | 简体 | 界面 | in german | in chinese | in english | 24 hour | 中文界面 | 英文界面
space: storage | disk space | more space | more room | quota | gigabytes | space left | 空间 | 配额 | 容量 | 存储
role: admin | administrator | role | rights | permission | owner | privileges | 管理员 | 权限 | 角色 | 身份
log: audit | log of | record of | trail | who did | who has done | who deleted | who removed | 日志 | 审计 | 谁删 | 谁干的
| 谁做了 | 操作记录 | 谁动了 | 谁弄的 | who has been | fiddling | fiddled | tampered | tamper | messing with | been at | 谁改 | 谁把
| 谁动 | 动过
news: what changed | what has changed | what's new | what is new | what happened | happened | since | recently
| lately | going on | been up to | working on | activity | while i was away | 有什么变化 | 变化 | 动静 | 动态 | 最近 | 这几天 | 改了什么
| 更新了什么 | 新鲜事 | 发生了什么 | 忙什么 | 进展
| did … change | what did … do | edited lately | worked on | progress | 改过什么 | 做了什么 | 干了什么 | 更新 | 新增了什么
inbox: inbox | notification | messages for me | anything new | unread | news for me | 收件箱 | 消息 | 新消息 | 未读 | 通知
| any messages | any news | something for me | waiting for me | 有没有消息 | 红点 | 待我处理
setup: installation | set up on | is … configured | which parts | server configured | 安装 | 部署 | 配置
note: note | notes | memo | journal | diary | draft | article | essay | paragraph | sentence | minutes | my writing
| passage | poem | letter | 笔记 | 备忘 | 备忘录 | 日记 | 草稿 | 稿子 | 稿 | 文章 | 文稿 | 随笔 | 纪要 | 那篇 | 这篇 | 一篇 | 周报 | 日报 | 段落 | 一段
| 这段 | 第二段 | 手记 | blog post | write-up | story | recipe | thoughts | idea | ideas | meeting | what we discussed
| what we decided | what we agreed | 想法 | 会议 | 会上 | 讨论 | 决定 | 灵感 | 心情 | 计划 | 菜谱 | 文字 | shopping list | packing list
| to do list | list of things | bucket list | summary of our | minutes of | 购物清单 | 清单 | 读书心得 | 总结报告 | 会议纪要
notebook: notebook | notebooks | 笔记本
task: task | todo | to-do | to do | to-dos | reminder | chore | checklist | due | deadline | on my plate | left to do
| outstanding | still have to | unfinished | 任务 | 待办 | 提醒 | 事项 | 要做 | 没做 | 没做完 | 没完成 | 截止 | 到期 | 要交 | 该做 | dentist
| appointment | errand | have to do | i have to | to get done | next up | agenda | 日程 | 行程 | 安排 | 约会 | 体检 | 该干 | 手头
| 活儿 | 计划表 | remind me | alarm | 提醒我 | 记得提醒 | 到时候叫我
| action item | action items | what is next | unfinished business | pending | open points | still open | 没弄完 | 没打勾
| 剩下的事 | 还差什么 | 该交 | 该做什么
done: done | finished | complete | tick | tick off | check … off | cross … off | 做完 | 完成 | 打勾 | 搞定 | 办完 | 划掉 | 弄完
| already | went there | took care of | taken care of | dealt with | got it done | i did | did that | 去过了 | 办好 | 弄好
| 做好 | 已经 | 过了 | 好啦
| ticked | cross … out | strike … out | it is over | is dealt with | handled | settled | paid already | 付了 | 交了 | 解决了
| 结束了 | 处理好了
postpone: postpone | reschedule | later date | next week instead | delay | put off | push back | 推迟 | 改期 | 延期 | 延后
| 顺延 | 提前 | 改到
suggestion: suggestion | suggested | proposed | proposal | proposes | propose | edits … made | 建议 | 修改意见 | 修订 | 修改建议
| 改动建议 | 提的修改
comment: comment | remark | margin | annotate | annotation | feedback | leave a message | sticky note | ask … about
| ask … whether | question … at | 批注 | 评论 | 留言 | 留句话 | 备注 | 旁边写 | 意见 | 标注 | 注一句 | 写一句 | 问一下
| ask a question about | point out | tell the author | reply to | 指出 | 质疑 | 跟作者说 | 回复
backlink: link to | links to | linked to | linking to | point at | points to | point to | refer to | refers to
| references to | cited by | 引用 | 引用了 | 链接到 | 指向 | 反向链接 | 链到 | 提及
link: link | hyperlink | url | clickable | click | broken | 链接 | 超链接 | 网址 | 点一下 | 点击 | 打不开的 | 跳到 | 跳转
tag: tag | tags | label | labelled | labels | tagged | keyword | hashtag | category | marked as | 标签 | 标记 | 标了 | 打标
| 分类 | 关键词 | 贴个 | flag | sort by topic | topics | 主题 | 标注为 | 标为 | 归类
base: knowledge base | base | bases | library | archive | collection | repository | a place … keep | wiki | 知识库 | 资料库
| 文库 | 库 | 素材库 | 资料夹
folder: folder | folders | directory | subfolder | 文件夹 | 目录 | 夹子 | 夹 | 子目录
file: file | document | doc | pdf | report | contract | handbook | scan | attachment | invoice | presentation | slides
| manual | paper | receipt | brochure | 文件 | 文档 | 资料 | 报告 | 合同 | 手册 | 扫描件 | 附件 | 发票 | 幻灯片 | 说明书 | 论文 | word | ppt | 材料
| 书 | guidelines | guideline | offer | letter from | certificate | cv | resume | spec | 制度 | 证书 | 简历 | 方案 | 章程 | 信件
| 单据 | 票据
webpage: web page | webpage | website | article from | blog | site | news article | from the internet | online article
| this url | this link | page from | 网页 | 网站 | 公众号 | 博客 | 推文 | 网上的 | 这个链接 | 这个网址 | 在线文章 | wechat | news story
| page on the web | internet page | 微信 | 微博 | 知乎 | 新闻 | 帖子 | 链接存
original: original | untouched file | raw file | file itself | 原件 | 原版 | 原文件 | 原始 | 源文件
| as it was uploaded | was uploaded | way it was uploaded | with the signature | with signature | signed
| not just the text | real file | exact file | 带签名 | 盖章 | 签字 | 本来的文件
chat: chat | conversation | dialogue | talk … we had | this discussion | 对话 | 聊天 | 会话 | 聊的 | our talk
| what we talked about | 聊天记录 | 聊天内容
trash: trash | recycle | recycle bin | deleted | bin | binned | 回收站 | 垃圾桶 | 垃圾箱 | 删过 | 删掉的 | 删除的 | 已删除
twice: twice | double | duplicate | duplicates | identical | same file | same name | redundant | 重复 | 两遍 | 两次 | 一模一样
| 重名 | 同名 | 多余的 | same document | same thing | the same as | already have … file | are these … same | 同一个 | 同一份
| 是不是一样 | 存了两份 | 好几份 | 一样吗
| more than once | several copies | same content | 内容相同 | 同样的文件 | 存了好几份
quote: according to | what exactly | quote | cite | source | citation | policy | rule on | regulation | answer from
| 规定 | 标准是 | 出处 | 原文 | 引用原文 | 怎么说 | 条款 | 依据文件 | 政策 | 多少天 | guidelines | allowed to | are we allowed | may we
| how many days | how long | what is the limit | entitled | leave | what counts as | it says | 能不能报 | 几天 | 允许 | 怎么规定
| 制度 | 上限 | 流程 | 有没有说 | 写明 | what … says about | written in | in our wiki | in the contract | what is the … policy
| 里怎么写 | 怎么写的 | 写的是什么 | 文件上说 | 合同里 | 章程里
whole: whole | entire | complete | everything in | all files | as a zip | zip | backup | 整个 | 全部文件 | 打包 | 备份 | 压缩包
| 一整个
ready: ready | processed | finished processing | uploaded yet | arrived | indexed | failed to read | could not be read
| still working | 好了吗 | 好了没 | 处理完 | 传完 | 解析 | 上传完 | 成功了吗 | 失败
newer: newer version | new version | revised | updated version | latest version | new edition | 新版 | 新版本 | 更新版 | 最新版
| 修订版 | was revised | got revised | outdated | old one | 更新了 | 改版 | 旧的那份 | 出了新 | 新的那份 | 顶掉
version: version | history | earlier | older | previous | before | used to | yesterday | last week | last month
| the way it was | was like | past | this morning | on friday | on monday | 版本 | 历史 | 以前 | 之前 | 原来 | 昨天 | 上周 | 上个月
| 早上 | 旧 | 当时 | 从前 | 先前 | as it was | as of | looked like | state of | back then | at that time | ago | 那时候 | 那天的
| 几天前 | 月份的样子
| before the change | original text | in march | in april | in may | in june | last year | 改之前 | 原先 | 那个时候 | 上一版 | 前天
| 去年
question: which | what | when | where | how many | is there | are there | did anybody | did i | has anyone | 哪 | 什么 | 几个 | 吗 | 多少 | 怎么
who: who | whom | whose | by whom | anybody | anyone | did anyone | 谁 | 哪些人 | 哪位 | who did | by which person | 是谁
spreadsheet: spreadsheet | workbook | excel | xlsx | csv | google sheet | budget | calculation | 表格 | 工作簿 | 报表 | 台账
| 电子表 | 账本 | 预算表 | 账目 | table | numbers sheet | price list | stock list | list of customers | 价格表 | 库存表 | 名单 | 客户表
| 电子表格 | 一张表
sheet: sheet | 表 | 这张表
tab: tab | tabs | worksheet | sub-sheet | subsheet | 工作表 | 子表 | 标签页 | 分页 | 页签
cell: cell | cells | box | square | 单元格 | 格子 | 格 | 这一格 | 那格 | 这格
rows: row | rows | line | lines | record | entry | entries | 行 | 一行 | 几行 | 记录 | 条目
columns: column | columns | 列 | 栏 | 一列 | 那一列
range: range | area | region | block | 区域 | 这一块 | 这块 | 一片 | 范围
formula: formula | formulas | function | functions | calculate | 公式 | 函数
header: header | heading | headings | first row | top row | titles | title row | 表头 | 标题行 | 首行 | 第一行 | 抬头
look: color | colour | bold | italic | font | fill | background | blue | green | yellow | gray | grey | orange
| bigger letters | smaller letters | underline | centered | center | align | nice | pretty | ugly | style | formatting
| wrap | larger text | 颜色 | 加粗 | 粗体 | 斜体 | 字体 | 字号 | 底色 | 背景 | 蓝 | 绿 | 黄 | 灰 | 好看 | 美化 | 丑 | 居中 | 对齐 | 样式 | 格式 | 换行
| 放大字 | 涂 | every second row | stripes | striped | paint | colorful | emphasize | 隔行 | 斑马 | 彩色 | 弄漂亮 | 漂亮 | 加深
| wrap text | line break | letters | size of the text | indent | highlight the title | text color | 自动换行 | 字太长 | 大小
| 字变大 | 字变小 | 标题突出 | 缩进 | 染色 | 上色
number-format: decimal | decimals | percent | percentage | currency | euro | euros | dollar | dollars
| thousand separator | as dates | date format | 小数 | 百分比 | 百分数 | 货币 | 人民币 | 符号 | 元 | 千分位 | 日期格式 | 美元 | round | rounded
| whole numbers | digits | after the comma | after the point | kilo | 四舍五入 | 取整 | 整数 | 位小数 | 单位
| shown as | displayed as | date should look | look like | 统一成 | 这种样子 | 样式的日期 | 写成…样子 | 显示为 | 日期显示 | 年月日
border: border | borders | frame | outline | grid lines around | lines around | 边框 | 框线 | 框 | 画线 | 画上线 | 格线 | 描边
| box around | line below | line under | line above | thick line | 粗线 | 加线 | 下划一条线
width: wide | wider | width | narrow | narrower | height | taller | too small … column | ##### | # # # | cut off
| column … fit | fit the text | 列宽 | 行高 | 宽 | 窄 | 宽一点 | 调宽 | 显示不全 | 井号 | 太挤 | broader | too tight | too wide | autofit
| full name is not | 自适应 | 拉宽 | 拉长 | 看不全 | 挤
| does not fit | doesn t fit | runs over | overlap | 太长 | 太短 | 放不下 | 装不下 | 溢出
chart: chart | graph | pie | bars | bar chart | diagram | plot | curve | visualize | line chart | 图表 | 饼图 | 柱状图 | 折线图
| 图 | 曲线 | 走势图 | 可视化 | 条形图 | trend | over time | development of | rise and fall | 趋势 | 走势 | 用线 | 画给我 | 画出来 | 变化曲线
| as a picture | picture of the numbers | histogram | scatter | donut | area chart | timeline | 散点 | 面积图 | 环形 | 雷达图
| 画成 | 画个 | 画张 | 直观
pivot: pivot | cross table | crosstab | by month and | per month and | 透视 | 透视表 | 交叉 | 按…和…汇总
filter: filter | only show | show only | just the rows | rows with … only | 筛选 | 只看 | 只显示 | 过滤 | narrow … down
| leave only | nothing but | except | only the rows | only rows | only those | only want to see | 只留 | 仅显示 | 仅看 | 除了
| see only | only want | hide the rest | without the | 只想看 | 只保留 | 其余隐藏 | 其他不要
sort: sort | order by | order … by | rank | alphabetical | alphabetically | largest first | smallest first | ascending
| descending | 排序 | 排个序 | 从大到小 | 从小到大 | 按…排 | 升序 | 降序 | arrange | in order | newest first | oldest first
| cheapest first | by date | by name | by price | by amount | by city | reverse order | newest on top | 排列 | 排一排 | 排一下
| 排好 | 先后 | 倒序 | 正序 | 最新的
| who is first | on top of the list | ranking | sorted | ordered | 排前面 | 排后面 | 排名 | 排第一 | 由大到小 | 由小到大
freeze: freeze | frozen | stay visible | stays visible | stay in place | while scrolling | when i scroll | scroll
| keep … visible | 冻结 | 固定 | 不动 | 滚动 | 往下拉 | 往下翻 | sticky | pinned | always visible | always see | always stay | 一直看
| 一直能看 | 钉住 | 一直显示
merge: merge | merged | combine … cells | combine | join … cells | span | one big cell | 合并 | 并成 | 合成一个 | 合在一起 | 跨列
| spread over | fuse | across several | across all columns | 通栏
| one single cell | two cells into one | put … together in one cell | 合成一列 | 合为一格 | 合成一格
split: split | unmerge | separate … cells | take … apart | 拆开 | 拆分 | 取消合并 | 分开
validation: dropdown | drop-down | choice | choices | only allow | pick from | choose from | restrict … input
| allowed values | 下拉 | 选项 | 只能填 | 只能选 | 从…选 | 限制输入 | 可选 | nonsense | rubbish | garbage | wrong input | typing
| yes or no | only numbers | a list of options | 乱填 | 乱写 | 瞎填 | 填错 | 只准 | 固定几个 | 单选 | checkbox | tick box | valid
| must be a number | must be a date | 必须填 | 必须是 | 打勾框
condition: highlight | negative | overdue | in red | red | bigger than | above | below zero | color … by
| greater than | 标红 | 变红 | 负数 | 大于 | 小于 | 超过 | 低于 | 高亮 | 突出 | 条件格式 | 变成红 | 红色 | stand out | stands out | jump out
| catch the eye | catches the eye | warn | traffic light | late … red | too high | too low | with a minus
| in the minus | 显眼 | 醒目 | 一眼看出 | 预警 | 提示颜色 | 变颜色 | 自动变
| flag values | alarm | automatically red | turns red | turns green | 报警 | 变橙 | 提醒颜色 | 自动上色
where: all rows where | all … from | every … from | those with | those whose | rows with | all customers | all orders
| all entries | 符合条件 | 满足条件 | 条件的 | 凡是 | 所有…的行 | 的都删
image: image | picture | photo | logo | drawing | 图片 | 照片 | 标志 | 插图 | 图像 | 截图 | photograph | screenshot of | jpeg
| png | 相片 | 图标
| the photo | portrait | icon | stamp | banner | 头图 | 相 | 截屏
screenshot: screenshot | how does … look | what does … look like | 截图 | 什么样子 | 长什么样 | 什么样
lock: lock | locked | protect | protected | protection | nobody can change | read-only | 锁 | 锁定 | 上锁 | 保护 | 不让改 | 不能改
| 不让别人改 | 锁住 | 锁上 | off limits | only i may | only me | tamper | by accident overwrite | 只有我能 | 别动 | 别让人改 | 别让别人改
| 谁也不能改 | 不让动
| nobody but | no one but | no one else | nobody else | only i | not even | cannot be overwritten
| must not be overwritten | must not be changed | 只有我 | 除了我 | 不可修改 | 不许改 | 不准改
unlock: unlock | remove protection | open … locked | no longer locked | 解锁 | 放开 | 取消保护 | 解除保护
print: print | printout | printing | paper | landscape | portrait | margins | on one page | 打印 | 纸 | 横向 | 纵向 | 页边距
| 一页 | printed | printer | a4 | page break | every page | each page | 打出来 | 打在 | 纸上
| on paper | hand out | for the binder | 纸质 | 装订
total: how much | how many | total | totals | sum | average | mean | count | most | best | worst | highest | lowest
| cheapest | top five | top ten | maximum | minimum | per month | per region | sells | 多少 | 总共 | 一共 | 总和 | 合计 | 平均
| 求和 | 最多 | 最少 | 最好 | 最高 | 最低 | 最贵 | 统计 | 算一下 | 几个 | 卖得 | 总数 | 总额 | 占比 | 排名 | product | which … most | brought in
| per department | in total | altogether | on average | compared to last | 花了 | 赚 | 哪个月 | 各部门 | 每个部门 | 人均 | 各 | 每人
| owe | owes | owed | earn | earned | biggest | largest | sold | how often | percentage of | bought | ordered | paid
| unpaid | 欠 | 订单数 | 几次 | 付了 | 每个
| interest | price of | share of | the most expensive | least | median | difference between … and … | percentage
| by how much | grew | increase | compared with | 增长 | 增加了 | 比上月 | 同比 | 占多少 | 差多少 | 贵 | 便宜
fill-down: fill … down | drag | copy … formula | continue the series | extend the formula | down the column | series
| 往下填充 | 拖 | 下拉公式 | 填充 | 往下复制 | 序列
compute: vat | tax | multiply | times the | raise … by | increase … by | discount | plus | minus … from | divided
| net to gross | next to each | for each row | 涨 | 降价 | 打折 | 乘 | 加税 | 含税 | 减去 | 相加 | 除以 | 每行 | 单价
money: money | cost | costs | revenue | sales | turnover | spend | spent | profit | expenses | income | budget | 钱
| 花费 | 开销 | 收入 | 销售 | 销量 | 利润 | 支出 | 费用 | 成本 | 业绩 | 预算
empty: empty | blank | missing | no value | without a value | 空 | 空着 | 空白 | 缺 | 漏 | 没填
data: data | numbers | values | figures | list … of numbers | amounts | 数据 | 数字 | 数值 | 金额 | prices | price
| phone numbers | stock | measurements | 电话 | 价格 | 名单 | 库存 | 数
front: in front | to the left | first tab | before the others | order of tabs | 前面 | 最前 | 排前面 | 顺序
hide-tab: hide … tab | hide … sheet | tab color | gridlines | zoom | 网格线 | 标签颜色 | 缩放
public-link: public link | share link | open link | by a link | link … anyone | link … sent | link … around
| web address | 公开链接 | 分享链接 | 外链 | 发给…链接 | 发出去的链接 | 发给…网址 | 网址 | page i can send | that page | link for | send around
| 那个网址 | 那个链接 | 发出去
`;

export const conceptLines = actions + things;

/**
 * Names of concepts (groups of synonyms) by which an agent's request counts as a request to read data.
 * `writeRequestConcepts` are those of requests to change data.
 */
export const readRequestConcepts =
  'read list search compare recall check explain cause mention news who total screenshot log question'.split(' ');
export const writeRequestConcepts = (
  'create add delete restore undo rename move copy edit rewrite replace append write share unshare member leave end pause ' +
  'block resume hide unhide clear upload import retry pin remember forget accept follow unfollow done postpone merge split ' +
  'freeze filter sort validation lock unlock border look width'
).split(' ');
