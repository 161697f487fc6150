/** A shared report as a visitor gets it; the page of the link and the preview of the owner draw the same. */
import type { Report } from '@hengxi/contracts/contract';
import { date } from '@hengxi/contracts/format';
import { type ReactNode, useState } from 'react';

import { Logo } from '../ui/logo.tsx';
import { type Presentation, readPresentation } from '@hengxi/contracts/report/presentation';
import { ReportView } from './report-view.tsx';
import styles from './shared-sheet.module.css';

export interface Shared {
  title: string;
  document: Report;
  presentation: Record<string, unknown>;
  hide_small: boolean;
  made_at: string;
  ends_at: string | null;
}

export interface SharedSheetProps {
  shared: Shared;
  /** Beside the heading, where there is room. */
  tools?: ReactNode;
  /** Left of the sheet, where there is room. */
  aside?: ReactNode;
  /** Before the ids of its sections, beside another report. */
  scope?: string;
}

export function SharedSheet({ shared, tools = null, aside = null, scope = '' }: SharedSheetProps) {
  // A visitor may choose the voice and read on; what he changes is his and leaves with him.
  const [own, setOwn] = useState<Presentation>(() => readPresentation(shared.presentation));
  return (
    <>
      <header className={styles['head']}>
        <Logo size={26} />
        <div>
          <b>分享的报告</b>
          <span>
            {date(shared.made_at)} 快照，不会再变{shared.ends_at === null ? '' : `；${date(shared.ends_at)} 到期`}
          </span>
        </div>
        {tools}
      </header>
      <div>
        {aside}
        <ReportView
          report={shared.document}
          presentation={own}
          onPresentationChange={setOwn}
          readonly
          scope={scope}
          madeAt={shared.made_at}
          title={shared.title}
          hideSmall={shared.hide_small}
        />
      </div>
    </>
  );
}
