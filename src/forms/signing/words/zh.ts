import type { SigningPhrases } from './signing-words.ts';

export const SIGNING_ZH: SigningPhrases = {
  waitsTitle: '有内容等待您签名',
  waitsText: '{n} 请您签名。',
  readTitle: '请阅读并签名',
  readText: '这是已填写并提交的表格。您按此处所示内容签名。',
  signAs: '您的签名身份：{n}',
  files: '随附的文件',
  sign: '签名',
  decline: '拒绝签名',
  signedTitle: '您已签名',
  signedText: '谢谢。您可以关闭此页面。',
  declinedTitle: '您已拒绝签名',
  declinedText: '没有签署任何内容。请您签名的人可以看到您已拒绝。您可以关闭此页面。',
  goneTitle: '这里没有需要签名的内容',
  goneText: '链接可能已过期，之后可能又发送了新的链接，或者需要签名的内容已被撤回或销毁。请询问发送链接的人。',
  awayTooLong: '页面打开时间过长。请重新获取验证码。',
  mailText: '请您签名。请在此阅读并签名：',
  mailIgnore: '如果您不知道这是什么，请忽略此邮件。',
};
