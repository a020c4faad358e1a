import type { SigningPhrases } from './signing-words.ts';

export const SIGNING_VI: SigningPhrases = {
  waitsTitle: 'Có nội dung đang chờ chữ ký của bạn',
  waitsText: '{n} đề nghị bạn ký.',
  readTitle: 'Vui lòng đọc và ký',
  readText: 'Đây là biểu mẫu như đã được điền và gửi. Bạn ký đúng như nội dung ở đây.',
  signAs: 'Bạn ký với tư cách: {n}',
  files: 'Các tệp gửi kèm',
  sign: 'Ký',
  decline: 'Từ chối ký',
  signedTitle: 'Bạn đã ký',
  signedText: 'Cảm ơn bạn. Bạn có thể đóng trang này.',
  declinedTitle: 'Bạn đã từ chối ký',
  declinedText: 'Không có gì được ký. Người đề nghị có thể thấy bạn đã từ chối. Bạn có thể đóng trang này.',
  goneTitle: 'Không có gì để ký ở đây',
  goneText:
    'Liên kết có thể đã hết hạn, một liên kết khác có thể đã được gửi, hoặc nội dung cần ký đã bị rút lại hay hủy bỏ. Vui lòng hỏi người đã gửi cho bạn.',
  awayTooLong: 'Trang đã mở quá lâu. Vui lòng yêu cầu mã khác.',
  mailText: 'Bạn được đề nghị ký. Hãy đọc và ký tại đây:',
  mailIgnore: 'Nếu bạn không biết đây là việc gì, hãy bỏ qua thư này.',
};
