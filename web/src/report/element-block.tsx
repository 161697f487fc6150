/** One element of the report by its type. The switch ends in a never check: a type the engine adds does not compile until it is drawn. */
import type { Element } from '@hengxi/contracts/contract';
import { lazy, Suspense } from 'react';

import { ChartBlock } from './chart/chart-block.tsx';
import { ChartGuard } from './chart/chart-guard.tsx';
import { Checks } from './check/checks.tsx';
import { NewData } from './data/data.tsx';
import { ReportFile } from './file/file.tsx';
import { Lead } from './lead/lead.tsx';
import { SavedModel } from './model/model.tsx';
import { keyOf, type Sections } from '@hengxi/contracts/report/outline';
import { Panel } from './panel/panel.tsx';
import { Rules } from './rules/rules.tsx';
import { TableBlock } from './table/table-block.tsx';
import { Paragraph } from './text/interpretation.tsx';
import { Try } from './try/try.tsx';
import { Warning } from './warning/warning.tsx';

/** Typesetting is heavy and few reports have an equation. */
const Formula = lazy(async () => ({ default: (await import('./formula/formula.tsx')).Formula }));

export interface ElementBlockProps {
  element: Element;
  part: number;
  sections: Sections;
  names: ReadonlyMap<string, string>;
}

export function ElementBlock({ element, part, sections, names }: ElementBlockProps) {
  const name = keyOf(part, element.id);
  const notes = sections.notes.get(element.id) ?? [];
  switch (element.type) {
    case 'lead':
      return <Lead element={element} />;
    case 'text':
      return <Paragraph text={element} />;
    case 'table':
      return element.hidden ? null : <TableBlock table={element} name={name} notes={notes} />;
    case 'chart':
      return (
        <ChartGuard name={element.title}>
          <ChartBlock chart={element} tables={sections.tables} name={name} notes={notes} />
        </ChartGuard>
      );
    case 'panel':
      return (
        <ChartGuard name={element.title}>
          <Panel panel={element} tables={sections.tables} name={name} />
        </ChartGuard>
      );
    case 'check':
      return <Checks list={[element]} />;
    case 'warning':
      return <Warning warning={element} />;
    case 'formula':
      return (
        <Suspense fallback={<p>{element.title}</p>}>
          <Formula formula={element} />
        </Suspense>
      );
    case 'rules':
      return <Rules element={element} names={names} />;
    case 'try':
      return <Try element={element} model={sections.models.get(element.model) ?? null} />;
    case 'file':
      return <ReportFile file={element} />;
    case 'model':
      return <SavedModel model={element} />;
    case 'data':
      return <NewData element={element} />;
    default: {
      const unknown: never = element;
      return unknown;
    }
  }
}
