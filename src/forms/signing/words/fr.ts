import type { SigningPhrases } from './signing-words.ts';

export const SIGNING_FR: SigningPhrases = {
  waitsTitle: 'Un document attend votre signature',
  waitsText: '{n} vous demande de signer un document.',
  readTitle: 'Veuillez lire et signer',
  readText: 'Voici le formulaire tel qu’il a été rempli et envoyé. Vous le signez tel qu’il est ici.',
  signAs: 'Vous signez en tant que : {n}',
  files: 'Fichiers joints',
  sign: 'Signer',
  decline: 'Refuser de signer',
  signedTitle: 'Vous avez signé',
  signedText: 'Merci. Vous pouvez fermer cette page.',
  declinedTitle: 'Vous avez refusé de signer',
  declinedText: 'Rien n’a été signé. La personne qui vous l’a demandé voit votre refus. Vous pouvez fermer cette page.',
  goneTitle: 'Il n’y a rien à signer ici',
  goneText:
    'Le lien a peut-être expiré, un autre a pu être envoyé depuis, ou ce qui devait être signé a été retiré ou détruit. Demandez à la personne qui vous l’a envoyé.',
  awayTooLong: 'La page est restée ouverte trop longtemps. Veuillez demander un autre code.',
  mailText: 'On vous demande de signer un document. Lisez-le et signez-le ici :',
  mailIgnore: 'Si vous ne savez pas de quoi il s’agit, ignorez ce message.',
};
