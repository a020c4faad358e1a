import type { SigningPhrases } from './signing-words.ts';

export const SIGNING_ES: SigningPhrases = {
  waitsTitle: 'Algo espera su firma',
  waitsText: '{n} le pide que firme algo.',
  readTitle: 'Lea y firme, por favor',
  readText: 'Este es el formulario tal como se rellenó y se envió. Lo firma tal como está aquí.',
  signAs: 'Firma como: {n}',
  files: 'Archivos que se enviaron',
  sign: 'Firmar',
  decline: 'No firmar',
  signedTitle: 'Ha firmado',
  signedText: 'Gracias. Puede cerrar esta página.',
  declinedTitle: 'Ha decidido no firmar',
  declinedText: 'No se ha firmado nada. Quien se lo pidió puede ver que no firmó. Puede cerrar esta página.',
  goneTitle: 'Aquí no hay nada que firmar',
  goneText:
    'Es posible que el enlace haya caducado, que se haya enviado otro desde entonces o que lo que se debía firmar se haya retirado o destruido. Pregunte a quien se lo envió.',
  awayTooLong: 'La página estuvo abierta demasiado tiempo. Pida otro código.',
  mailText: 'Se le pide que firme algo. Léalo y fírmelo aquí:',
  mailIgnore: 'Si no sabe de qué se trata, no haga caso de este mensaje.',
};
