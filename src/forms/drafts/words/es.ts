import type { DraftPhrases } from './draft-words.ts';

export const DRAFT_ES: DraftPhrases = {
  savedTitle: 'Sus respuestas están guardadas',
  askText: 'Para volver a ellas más tarde, en este u otro dispositivo, pida que le enviemos un enlace por correo.',
  savedText: 'El enlace que le enviamos por correo le lleva de vuelta a ellas durante los próximos {n} días.',
  emailLabel: 'Su correo electrónico',
  emailWrong: 'Escriba una sola dirección de correo electrónico.',
  sendLink: 'Enviarme el enlace',
  goOnNow: 'Seguir rellenando ahora',
  tooMany: 'Se han enviado demasiados correos. Inténtelo de nuevo dentro de una hora.',
  sentTitle: 'Le hemos enviado un enlace',
  sentText: 'Ábralo en un plazo de {n} días para continuar. Puede cerrar esta página.',
  resumeTitle: 'Continúe con su formulario',
  resumeText:
    'Para asegurarnos de que es usted, enviamos un código de un solo uso a la dirección que recibió el enlace.',
  sendCode: 'Enviarme un código',
  anotherCode: 'Enviarme otro código',
  nothingCame: '¿No llegó nada? Mire en el correo no deseado o pida otro código; el anterior dejará de valer.',
  codeSent: 'Hemos enviado un código a la dirección que recibió el enlace. Es válido durante {n} minutos.',
  codeLabel: 'Código de {n} cifras',
  openForm: 'Abrir el formulario',
  codeLength: 'El código tiene {n} cifras.',
  codeWrong: 'No es el código del último correo. Intentos restantes: {n}.',
  codeVoid: 'Este código no es válido o ya no lo es. Pida otro.',
  goneTitle: 'Este enlace ya no es válido',
  goneText:
    'Las respuestas se conservan {n} días desde que se guardaron por última vez, y hasta que se envía el formulario.',
  beginAnew: 'Empezar el formulario de nuevo',
  linkMailSubject: 'Su formulario guardado',
  linkMailText: 'Sus respuestas están guardadas. Continúe aquí:',
  linkMailUntil:
    'El enlace es válido durante {n} días. Pide un código que se envía a esta dirección, para que nadie más pueda abrirlo.',
  codeMailSubject: 'Su código',
  codeMailText: 'Su código de un solo uso es {n}',
  codeMailUntil: 'Es válido durante {n} minutos.',
  mailIgnore: 'Si usted no pidió este correo, no le haga caso.',
};
