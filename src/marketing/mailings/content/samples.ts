/** What a new mailing and a new block hold until somebody puts their own there. */
export const SAMPLES = {
  text: 'Write here what you want to say.',
  url: 'https://example.com/',
  picture: 'https://example.com/picture.png',
  alt: 'What the picture shows',
  address: 'Street and number, city',
} as const;
