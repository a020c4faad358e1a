import type { DraftPhrases } from './draft-words.ts';

export const DRAFT_FR: DraftPhrases = {
  savedTitle: 'Vos réponses sont enregistrées',
  askText: 'Pour y revenir plus tard, sur cet appareil ou sur un autre, faites-vous envoyer un lien par e-mail.',
  savedText: 'Le lien que nous vous avons envoyé y ramène pendant les {n} prochains jours.',
  emailLabel: 'Votre adresse e-mail',
  emailWrong: 'Veuillez saisir une seule adresse e-mail.',
  sendLink: 'M’envoyer le lien',
  goOnNow: 'Continuer à remplir maintenant',
  tooMany: 'Trop d’e-mails ont été envoyés. Veuillez réessayer dans une heure.',
  sentTitle: 'Nous vous avons envoyé un lien',
  sentText: 'Ouvrez-le dans les {n} jours pour continuer. Vous pouvez fermer cette page.',
  resumeTitle: 'Continuez votre formulaire',
  resumeText:
    'Pour être sûrs que c’est bien vous, nous envoyons un code à usage unique à l’adresse qui a reçu le lien.',
  sendCode: 'M’envoyer un code',
  anotherCode: 'M’envoyer un autre code',
  nothingCame:
    'Rien reçu ? Regardez dans les courriers indésirables ou demandez un autre code ; le précédent ne vaudra plus.',
  codeSent: 'Nous avons envoyé un code à l’adresse qui a reçu le lien. Il est valable {n} minutes.',
  codeLabel: 'Code à {n} chiffres',
  openForm: 'Ouvrir le formulaire',
  codeLength: 'Le code comporte {n} chiffres.',
  codeWrong: 'Ce n’est pas le code du dernier e-mail. Essais restants : {n}.',
  codeVoid: 'Ce code n’est pas valable, ou ne l’est plus. Veuillez en demander un autre.',
  goneTitle: 'Ce lien n’est plus valable',
  goneText: 'Les réponses sont gardées {n} jours après leur dernier enregistrement, et jusqu’à l’envoi du formulaire.',
  beginAnew: 'Recommencer le formulaire',
  linkMailSubject: 'Votre formulaire enregistré',
  linkMailText: 'Vos réponses sont enregistrées. Continuez ici :',
  linkMailUntil:
    'Le lien est valable {n} jours. Il demande un code envoyé à cette adresse, afin que personne d’autre ne puisse l’ouvrir.',
  codeMailSubject: 'Votre code',
  codeMailText: 'Votre code à usage unique est {n}',
  codeMailUntil: 'Il est valable {n} minutes.',
  mailIgnore: 'Si vous n’avez pas demandé cet e-mail, ignorez-le.',
};
