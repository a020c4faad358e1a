/** What the pages and mails of signers say. */
export const SIGNING_EN = {
  waitsTitle: 'Something waits for your signature',
  waitsText: '{n} asks you to sign something.',
  readTitle: 'Please read and sign',
  readText: 'This is the form as it was filled in and sent. You sign it as it stands here.',
  signAs: 'You sign as: {n}',
  files: 'Files that were sent along',
  sign: 'Sign',
  decline: 'Decline to sign',
  signedTitle: 'You have signed',
  signedText: 'Thank you. You may close this page.',
  declinedTitle: 'You have declined to sign',
  declinedText: 'Nothing was signed. Whoever asked you can see that you declined. You may close this page.',
  goneTitle: 'There is nothing to sign here',
  goneText:
    'The link may have expired, another may have been sent since, or what was to be signed was withdrawn or destroyed. Please ask whoever sent it to you.',
  awayTooLong: 'The page was open for too long. Please ask for another code.',
  mailText: 'You are asked to sign something. Read and sign it here:',
  mailIgnore: 'If you do not know what this is about, ignore it.',
};
