import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { Loaded } from './problem.tsx';

interface LoadedPageProps<Data> {
  /** What stands as the heading until the thing itself is here, or where it does not come. */
  title: string;
  back: { label: string } & LinkProps;
  read: { data: Data | undefined; error: unknown; isPending: boolean; refetch(): unknown };
  /** The whole page, once what it is about was read. */
  children(data: Data): ReactNode;
}

/** A page about one thing, with a heading and a way back from the first moment on. */
export function LoadedPage<Data>({ title, back, read, children }: LoadedPageProps<Data>) {
  if (read.data !== undefined) return children(read.data);
  return (
    <Page wide title={title} back={back}>
      <Loaded read={read}>{() => null}</Loaded>
    </Page>
  );
}
