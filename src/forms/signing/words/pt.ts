import type { SigningPhrases } from './signing-words.ts';

export const SIGNING_PT: SigningPhrases = {
  waitsTitle: 'Algo aguarda a sua assinatura',
  waitsText: '{n} pede que assine algo.',
  readTitle: 'Leia e assine, por favor',
  readText: 'Este é o formulário tal como foi preenchido e enviado. Assina-o tal como está aqui.',
  signAs: 'Assina como: {n}',
  files: 'Ficheiros enviados',
  sign: 'Assinar',
  decline: 'Não assinar',
  signedTitle: 'Assinou',
  signedText: 'Obrigado. Pode fechar esta página.',
  declinedTitle: 'Decidiu não assinar',
  declinedText: 'Nada foi assinado. Quem lhe pediu pode ver que não assinou. Pode fechar esta página.',
  goneTitle: 'Não há nada para assinar aqui',
  goneText:
    'A ligação pode ter expirado, outra pode ter sido enviada entretanto, ou o que havia para assinar foi retirado ou destruído. Pergunte a quem lha enviou.',
  awayTooLong: 'A página esteve aberta demasiado tempo. Peça outro código.',
  mailText: 'Pedem-lhe que assine algo. Leia e assine aqui:',
  mailIgnore: 'Se não sabe do que se trata, ignore esta mensagem.',
};
