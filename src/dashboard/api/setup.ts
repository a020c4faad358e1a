import { Type } from 'typebox';
import { agentInWords, setUpUser } from '../../accounts/index.ts';
import { type Endpoint, publicEndpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { giveSession } from '../signed-in.ts';
import { stateOf } from './sign-in.ts';

/** How somebody who was invited sets a first password. */
export function setupEndpoints(deps: DashboardDeps): Endpoint[] {
  return [
    publicEndpoint({
      method: 'POST',
      path: '/setup',
      operation: 'setUpUser',
      summary: 'Set the first password of a user by a setup link, and sign in',
      access: 'public',
      audit: 'user.set-up',
      body: Type.Object({
        token: Type.String({ maxLength: 100 }),
        password: Type.String(),
        name: Type.Optional(Type.String({ maxLength: 200 })),
      }),
      reply: Type.Object({ state: Type.Enum(['enrol', 'factor']), csrf: Type.String() }),
      async handle({ body, headers, requestId, setHeader }) {
        const { token, password, name } = body;
        const agent = agentInWords(headers['user-agent']);
        const { who, secrets } = await setUpUser(deps, { token, password, name, agent, requestId });
        return { state: await stateOf(deps, who), ...giveSession(deps, { setHeader }, secrets) };
      },
    }),
  ];
}
