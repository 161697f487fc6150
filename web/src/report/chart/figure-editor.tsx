/** The panel of a figure: what it offers is declared per kind. Presentation only; each change is one step that can be undone. */
import { type FigureEdit, offerOf } from '@hengxi/contracts/chart/figure-edit';
import { facetsOf } from '@hengxi/contracts/chart/source';
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';
import { plain } from '@hengxi/contracts/format';
import { withAllFigures, withFigure } from '@hengxi/contracts/report/presentation';
import { Button, Drawer } from 'antd';
import { useEffect } from 'react';

import { toast } from '../../lib/toast.ts';
import { useMedia } from '../../lib/use-media.ts';
import { useReport } from '../context.ts';
import { Axis } from './editor-axis.tsx';
import { Look } from './editor-look.tsx';
import { Groups, Lines, Marks } from './editor-marks.tsx';
import { type Change, Part, Typed } from './editor-parts.tsx';
import { Texts } from './editor-texts.tsx';
import styles from './figure-editor.module.css';

export interface FigureEditorProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  name: string;
  /** What holds for the figure now. */
  edit: FigureEdit;
  caption: string;
  /** The panel it is a part of: its key and its title as the method gives it. */
  panel?: { name: string; title: string } | undefined;
  onClose: () => void;
}

export function FigureEditor({ chart, tables, name, edit, caption, panel, onClose }: FigureEditorProps) {
  const { presentation } = useReport();
  const isNarrow = useMedia('(max-width: 767px)');
  // What is edited is in sight; on a phone the editor takes the lower half, and the figure moves to the half that is left.
  useEffect(() => {
    const blocks = [...document.querySelectorAll<HTMLElement>('[data-block]')];
    blocks.find(({ dataset }) => dataset['block'] === name)?.scrollIntoView({ block: isNarrow ? 'start' : 'nearest' });
  }, [isNarrow, name]);
  const offer = offerOf(chart);
  const change = (next: Change): void => presentation.change(withFigure(presentation.value, name, next));
  const isEdited = presentation.value.figures[name] !== undefined;
  return (
    <Drawer
      title={`编辑${caption}`}
      open
      mask={false}
      closable={{ 'aria-label': '关闭' }}
      placement={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? 420 : 340}
      onClose={onClose}
      footer={
        <div className={styles['acts']}>
          <Button size="small" disabled={!presentation.canUndo} onClick={() => presentation.undo()}>
            撤销
          </Button>
          <Button size="small" disabled={!presentation.canRedo} onClick={() => presentation.redo()}>
            重做
          </Button>
          <Button
            size="small"
            disabled={!isEdited}
            onClick={() => presentation.change(withoutFigure(presentation.value, name))}
          >
            还原此图
          </Button>
          <Button
            size="small"
            onClick={() => {
              presentation.change(withAllFigures(presentation.value, name));
              toast.done('颜色、字体、字号和尺寸已套用到全部图');
            }}
          >
            套用到全部图
          </Button>
        </div>
      }
    >
      <div className={styles['form']}>
        <Part title="标题">
          {panel === undefined ? null : (
            <Typed
              label="组图的标题"
              value={presentation.value.figures[panel.name]?.title ?? ''}
              placeholder={`组图：${plain(panel.title)}`}
              onDone={(title) =>
                presentation.change(
                  withFigure(presentation.value, panel.name, { title: title === '' ? undefined : title }),
                )
              }
            />
          )}
          <Typed
            label="图的标题"
            value={edit.title ?? ''}
            placeholder={plain(chart.title)}
            onDone={(title) => change({ title: title === '' ? undefined : title })}
          />
        </Part>
        {(['y', 'x'] as const).map((axis) => (
          <Axis key={axis} axis={axis} chart={chart} edit={edit} onChange={change} />
        ))}
        <Groups chart={chart} tables={tables} edit={edit} onChange={change} />
        <Marks chart={chart} tables={tables} edit={edit} onChange={change} />
        {offer.lines.length > 0 ? <Lines edit={edit} axes={offer.lines} onChange={change} /> : null}
        <Texts edit={edit} facets={facetsOf(chart, tables).map(({ label }) => label)} onChange={change} />
        <Look edit={edit} hatched={offer.hatched} onChange={change} />
        <p className={styles['hint']}>只改变显示，不改变数字；可撤销，导出与分享都照此。</p>
      </div>
    </Drawer>
  );
}

function withoutFigure(value: ReturnType<typeof useReport>['presentation']['value'], name: string) {
  const { [name]: _, ...figures } = value.figures;
  return { ...value, figures };
}
