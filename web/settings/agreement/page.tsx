import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/settings/agreement.ts';
import { AgreementHistory } from './history.tsx';
import { SignAgreement } from './sign-agreement.tsx';
import { AgreementState } from './state.tsx';
import { AgreementText } from './text.tsx';

/** The agreement: whether it is in force, its text, and signing it. */
export function AgreementPage() {
  const read = useRead('readAgreement', {});
  const isOwner = useMay('owner');
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {({ in_force: inForce, agreement, text }) => (
          <>
            <AgreementState agreement={agreement} />
            <AgreementText text={text} />
            {isOwner && <SignAgreement version={text.version} inForce={inForce} />}
            <AgreementHistory />
          </>
        )}
      </Loaded>
    </Page>
  );
}
