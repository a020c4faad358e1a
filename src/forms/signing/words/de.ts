import type { SigningPhrases } from './signing-words.ts';

export const SIGNING_DE: SigningPhrases = {
  waitsTitle: 'Etwas wartet auf Ihre Unterschrift',
  waitsText: '{n} bittet Sie, etwas zu unterschreiben.',
  readTitle: 'Bitte lesen und unterschreiben',
  readText: 'Dies ist das Formular, wie es ausgefüllt und gesendet wurde. Sie unterschreiben es, wie es hier steht.',
  signAs: 'Sie unterschreiben als: {n}',
  files: 'Mitgesendete Dateien',
  sign: 'Unterschreiben',
  decline: 'Nicht unterschreiben',
  signedTitle: 'Sie haben unterschrieben',
  signedText: 'Vielen Dank. Sie können diese Seite schließen.',
  declinedTitle: 'Sie haben nicht unterschrieben',
  declinedText:
    'Es wurde nichts unterschrieben. Wer Sie gebeten hat, kann Ihre Ablehnung sehen. Sie können diese Seite schließen.',
  goneTitle: 'Hier gibt es nichts zu unterschreiben',
  goneText:
    'Der Link ist vielleicht abgelaufen, inzwischen wurde ein anderer gesendet, oder was zu unterschreiben war, wurde zurückgezogen oder vernichtet. Bitte fragen Sie, wer ihn Ihnen gesendet hat.',
  awayTooLong: 'Die Seite war zu lange offen. Bitte fordern Sie einen neuen Code an.',
  mailText: 'Sie werden gebeten, etwas zu unterschreiben. Lesen und unterschreiben Sie es hier:',
  mailIgnore: 'Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese Mail.',
};
