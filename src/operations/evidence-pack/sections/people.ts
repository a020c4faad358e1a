import { listTeam, methodsOf } from '../../../accounts/index.ts';
import { moment, ofEachTenant, type ReadSection } from '../section.ts';

/** Access review: everybody who has or had a way in, with their role and when they last used it. */
export const people: ReadSection = async (sources) => ({
  name: 'people',
  title: 'People and their roles',
  about: 'Everybody who can sign in, was invited, or was removed; as of the moment at which the pack was made.',
  columns: ['customer', 'id', 'email', 'name', 'role', 'state', 'second_factor', 'last_sign_in', 'created', 'removed'],
  rows: await ofEachTenant(sources, async (tx, customerId) =>
    (await listTeam(tx, customerId)).map((member) => ({
      id: member.id,
      email: member.email,
      name: member.name,
      role: member.role,
      state: member.state,
      second_factor: member.hasFactor,
      last_sign_in: moment(member.lastSignInAt),
      created: moment(member.createdAt),
      removed: moment(member.removedAt),
    })),
  ),
});

/** MFA coverage: of the people who can sign in, how many have which second factor. */
export const secondFactors: ReadSection = async (sources) => ({
  name: 'second-factors',
  title: 'Second factors',
  about:
    'How many of the people who can sign in have a second factor. Without one nothing opens but the page that adds one.',
  columns: ['customer', 'active_people', 'with_app', 'with_passkey', 'without', 'coverage_percent'],
  rows: await ofEachTenant(sources, async (tx, customerId) => {
    const active = (await listTeam(tx, customerId)).filter(({ state }) => state === 'active');
    const methods = [];
    for (const { id } of active) methods.push(await methodsOf(tx, { customerId, userId: id }));
    const without = active.filter(({ hasFactor }) => !hasFactor).length;
    const coverage = active.length === 0 ? null : Math.round((100 * (active.length - without)) / active.length);
    return [
      {
        active_people: active.length,
        with_app: methods.filter(({ totp }) => totp).length,
        with_passkey: methods.filter(({ passkeys }) => passkeys > 0).length,
        without,
        coverage_percent: coverage,
      },
    ];
  }),
});
