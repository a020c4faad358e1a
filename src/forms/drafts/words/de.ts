import type { DraftPhrases } from './draft-words.ts';

export const DRAFT_DE: DraftPhrases = {
  savedTitle: 'Ihre Antworten sind gespeichert',
  askText:
    'Um später darauf zurückzukommen, auf diesem oder einem anderen Gerät, lassen Sie sich einen Link per E-Mail schicken.',
  savedText: 'Der Link, den wir Ihnen geschickt haben, führt in den nächsten {n} Tagen dorthin zurück.',
  emailLabel: 'Ihre E-Mail-Adresse',
  emailWrong: 'Bitte geben Sie eine einzelne E-Mail-Adresse ein.',
  sendLink: 'Link zuschicken',
  goOnNow: 'Jetzt weiter ausfüllen',
  tooMany: 'Es wurden zu viele E-Mails verschickt. Bitte versuchen Sie es in einer Stunde wieder.',
  sentTitle: 'Wir haben Ihnen einen Link geschickt',
  sentText: 'Öffnen Sie ihn innerhalb von {n} Tagen, um fortzufahren. Sie können diese Seite schließen.',
  resumeTitle: 'Ihr Formular fortsetzen',
  resumeText:
    'Um sicher zu sein, dass Sie es sind, schicken wir einen Einmalcode an die Adresse, die den Link bekommen hat.',
  sendCode: 'Code zuschicken',
  anotherCode: 'Anderen Code zuschicken',
  nothingCame:
    'Nichts angekommen? Sehen Sie im Spam-Ordner nach oder fordern Sie einen anderen Code an; der vorige gilt dann nicht mehr.',
  codeSent: 'Wir haben einen Code an die Adresse geschickt, die den Link bekommen hat. Er gilt {n} Minuten.',
  codeLabel: 'Code aus {n} Ziffern',
  openForm: 'Formular öffnen',
  codeLength: 'Der Code hat {n} Ziffern.',
  codeWrong: 'Das ist nicht der Code aus der letzten E-Mail. Verbleibende Versuche: {n}.',
  codeVoid: 'Dieser Code gilt nicht oder nicht mehr. Bitte fordern Sie einen anderen an.',
  goneTitle: 'Dieser Link gilt nicht mehr',
  goneText: 'Antworten werden nach dem letzten Speichern {n} Tage aufbewahrt, und nur bis das Formular gesendet ist.',
  beginAnew: 'Formular neu beginnen',
  linkMailSubject: 'Ihr gespeichertes Formular',
  linkMailText: 'Ihre Antworten sind gespeichert. Hier geht es weiter:',
  linkMailUntil:
    'Der Link gilt {n} Tage. Er fragt nach einem Code, der an diese Adresse geschickt wird, damit ihn niemand sonst öffnen kann.',
  codeMailSubject: 'Ihr Code',
  codeMailText: 'Ihr Einmalcode ist {n}',
  codeMailUntil: 'Er gilt {n} Minuten.',
  mailIgnore: 'Wenn Sie diese E-Mail nicht angefordert haben, beachten Sie sie nicht.',
};
