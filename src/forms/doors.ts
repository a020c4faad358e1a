import type { FastifyInstance } from 'fastify';
import { addVerifyPage } from './certificate/page/add-verify-page.ts';
import { addEmbedScript } from './embed/script.ts';
import { addFormPages } from './page/pages.ts';
import { addUploadRoutes } from './uploads/tus/routes.ts';

type Given<Add extends (server: FastifyInstance, deps: never) => unknown> = Parameters<Add>[1];
type Deps = Given<typeof addUploadRoutes> & Given<typeof addFormPages> & Given<typeof addVerifyPage>;

/** Adds all that patients and auditors come to: the pages of forms, their files, the frame for them, and the verifier. */
export function addFormDoors(server: FastifyInstance, deps: Deps): void {
  addUploadRoutes(server, deps);
  addFormPages(server, deps);
  addEmbedScript(server);
  addVerifyPage(server, deps);
}
