export const accountPhrases = `
account_get_me: who am I | which account is this | my name and rights | 我是谁 | 当前账号 | 我的权限 | which user am I
| what may I do here | am I an admin | which key is this | 我有什么权限 | 我是管理员吗 | 现在用的是哪个账号
account_create_key: create an api key | make an access token for a script or program | new secret key | 新建密钥
| 给脚本一个访问令牌 | a program needs access | key for automation | generate credentials for the api | 我要接口密钥 | 程序要访问 | 申请一个令牌
| 给机器人开个密钥 | the script needs to log in somehow | how do I connect my program
account_list_keys: which api keys exist | my tokens | 有哪些密钥 | show my api keys | which tokens still work
| how many keys do I have | 我建过哪些密钥 | 看看我的令牌 | 现有的接口密钥
account_revoke_key: revoke a key | a token leaked, make it invalid | 作废密钥 | 密钥泄露了 | 撤销令牌 | delete an api key
| my token was stolen | the key should no longer work | stop the script from getting in | 删掉密钥 | 令牌不要了 | 密钥停用 | 这个密钥失效
account_list_connections: which apps are connected to my account | 哪些应用连着我的账号 | which applications can read my data
| what is linked to my account | is chatgpt or claude connected | 授权了哪些软件 | 哪些程序能访问我的数据 | 连接了什么应用
account_revoke_connection: disconnect an app | remove access of an app | 断开应用 | 取消应用授权 | kick an app out
| stop chatgpt or claude from getting in | unlink an integration | 不让这个软件访问了 | 解除应用授权 | 断开和某软件的连接
account_set_password: change my password | new password | 改密码 | 换个密码 | 重设密码 | I forgot my password | reset a password
| pick a stronger password | 忘记密码了 | 密码不安全换一个 | 重置密码 | 设个新密码
account_get_profile: what is my display name | my language and time zone | show my profile | 我的个人资料 | 我的昵称是什么
| 我的时区设成什么了
account_update_profile: change my display name | change my language | change my time zone
| set my avatar or profile picture | the interface should be in German | times are shown wrong
| I got married, my name is different now | 换头像 | 改昵称 | 改显示名字 | 改时区 | 界面换成中文 | 切换语言 | 改个人资料 | 时间显示不对
account_list_sessions: where am I signed in | which devices are logged in | 在哪些设备上登录 | who is logged in as me
| is somebody else using my account | browsers that are signed in | 我的账号在别的地方登录了吗 | 登录过的设备 | 有没有别人登录我的账号
account_end_session: log out a device, phone or computer | sign out elsewhere | 退出登录 | 把手机下线 | 踢掉旧设备
| my laptop or phone was stolen, kick it out | log me out everywhere else | sign out a browser
| I forgot to log out at the office | 手机丢了把它踢下线 | 让那台电脑退出登录 | 在网吧忘了退出 | 别的设备全部下线 | 旧手机退出
| I am still logged in at the library, end that | kick the stranger out of my account
account_create_sign_in_link: link to sign in once | let somebody log in without a password | 登录链接
| somebody cannot get in, send a link to log in | login link for a colleague | 给他发一个登录链接 | 登录不进去发个链接 | 免密登录
account_list_audit: who did what | audit log | record of all actions | 操作日志 | 审计记录 | 谁干了什么 | who deleted something
| which writes were made by a key | trail of what was done | history of all actions by everyone | security log | 谁删了东西
| 这个月谁删过 | 查操作记录 | 谁做过什么 | 查一下日志 | 谁干的好事 | what happened in the workspace, by whom
account_list_changes: what changed since yesterday, Monday or last week
| what has my team or colleagues been doing or working on | recent activity | news | 最近有什么变化 | 这几天大家改了什么 | 今天更新了什么
| 团队动态 | what happened while I was away on holiday | what is new since my last visit | what did you change today
| who edited what lately | summary of changes | what did people do this week | 我不在的时候有什么动静 | 昨天以来的改动 | 大家最近在忙什么
| 你今天改了什么 | 这周有哪些更新 | 休假期间发生了什么 | catch me up | give me a summary of the last days | 有什么新情况 | 帮我看看这几天的更新
account_create_webhook: notify our server or an address when something changes | send a message to a url whenever
| callback | 有改动时通知服务器 | 变动推送到网址 | 回调 | push changes to our system | post to slack or a url automatically
| trigger our program when a file changes | 自动推送到我们系统 | 文件一变就调用接口 | 新建推送 | 加一个回调地址
| send changes to our slack automatically | 有更新自动发到群里 | set up a callback | 设置回调
account_list_webhooks: which webhooks exist | which addresses get notified | our callbacks | 有哪些回调 | 推送到了哪些地址 | 列出推送
account_update_webhook: pause a webhook | switch notifications to the server off for now
| the callback has a new address | activate a webhook again | 暂停推送 | 回调地址换了 | 通知地址先停 | 重新打开推送 | 改回调
account_delete_webhook: remove a webhook | stop calling our url for good | 删除回调 | 不要再推送了 | 推送取消
account_test_webhook: send a test message to the webhook | try whether the callback works | 测试推送 | 试一下回调通不通 | 发个测试通知
account_list_deliveries: was the callback sent | did the webhook arrive | failed deliveries
| log of what the webhook sent | 推送发出去没有 | 回调失败了吗 | 推送记录 | 通知有没有送到服务器
account_create_user: add a person | new colleague, employee or member needs an account | 新建用户 | 给新同事开账号 | 添加人员
| somebody starts on Monday | register a user | sign up a colleague | open an account for the intern | 新人入职开个账号
| 注册一个用户 | 给实习生开账号 | 来了新员工 | give the new girl a login | make a login for a new man in sales
| could you set up an account for Maria | 给老王注册一下
account_list_users: all people here | who has an account | 所有用户 | 有哪些人 | how many users do we have | list the staff
| who works here | 系统里有多少用户 | 用户名单 | 列出员工 | 都有哪些同事
account_update_user: make somebody an admin or owner | give a user more storage space | change the role of a user
| raise the quota | he should be administrator | 设为管理员 | 给他更多空间 | 多开点空间 | 改用户角色 | 提高配额 | 存储不够了扩一点
| Tom should become an administrator | give Tom admin rights | 让小李当管理员
account_get_setup: is mail, backup or search by meaning configured | what is missing on this installation | 服务器配置好了吗
| 哪些功能还没配置 | 安装状态
account_suspend_user: block or disable somebody who left | stop an account for now | 停用账号 | 停掉账号 | 离职员工 | 禁止登录
| she quit, lock her out | an employee left the company | he should no longer get in | somebody was fired | 他辞职了别让他进来
| 把他的账号封了 | 人走了账号停一下 | freeze the account of somebody | don't let him log in any more | 别让他再登录
| on leave until June, stop her access | 休产假账号先停
account_resume_user: let a blocked user in again | enable an account | 恢复账号 | 解除停用
| she is back from leave, let her in again | unlock a blocked account | 他回来上班了账号打开 | 账号解封 | 重新启用账号
account_delete_user: close an account for good | remove a person | 注销用户 | 删除用户 | remove somebody for good
| her account is not needed any more | 账号彻底删除 | 这个人的账号不要了 | 把用户注销掉
account_create_group: make a team | group of people | 建一个小组 | 新建团队
| a group for marketing so that we can share with all | set up a department | 市场部建个组 | 新建群组 | 几个人一个组 | 建个部门 | 拉个小组方便共享
account_delete_group: delete or dissolve a team | the department no longer exists | 解散小组 | 删除群组 | 这个组不要了
account_list_groups: which teams are there | all groups | 有哪些小组 | 列出群组 | 都有什么部门
account_list_group_members: who is in the team | people of a group | members of the sales department | 小组里都有谁 | 组员名单
| 这个组有哪些人 | 团队成员
account_add_group_members: put somebody into a team | 把人加进小组 | Tom joins the sales team | add people to a group
| 小王加入销售组 | 组里加个人 | 把新人放进小组 | Maria is now part of the marketing team | 把小陈加到项目组
account_remove_group_members: take somebody out of a team | 把人移出小组 | Tom leaves the sales team
| take people off a group | moved to another department | 从组里拿掉 | 他转岗了不在这个组 | 小组里去掉一个人 | 把他踢出小组
| remove Kevin from the marketing group | 从市场组移除
`;
