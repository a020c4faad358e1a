import { createApp } from '../../app.ts';
import { type Command, withInstallation } from '../command.ts';

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  about: 'print the OpenAPI document of this version',
  run: ({ config }) =>
    withInstallation(config, async (installation) => {
      const app = await createApp(installation);
      await app.server.ready();
      const document = app.server.swagger();
      await app.stop();
      return { json: document, text: JSON.stringify(document, null, 2) };
    }),
};
