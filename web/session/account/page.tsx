import { Page } from '../../ui/page.tsx';
import { words } from '../../words/session.ts';
import { AddressCard } from './address.tsx';
import { Factors } from './factors.tsx';
import { PasswordCard } from './password.tsx';
import { Profile } from './profile.tsx';
import { OwnSessions } from './sessions.tsx';

/** How a person signs in, and where they are signed in. */
export function AccountPage() {
  return (
    <Page title={words.account} lead={words.accountLead}>
      <Profile />
      <AddressCard />
      <Factors />
      <PasswordCard />
      <OwnSessions />
    </Page>
  );
}
