/** The dimensions kept of the questionnaire above the boxes: one click puts them in, with their reversed items. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Dimension, Version } from '@hengxi/server/files/schema';
import { Button } from 'antd';
import { Link } from 'react-router';

import { titleOf } from '../column.ts';
import type { FormTools } from '../form-context.tsx';
import { useForm } from '../form-context.tsx';
import { itemsFor, onOneScale, placedIn, recodeStep, unturned, withDimensions } from './fill.ts';
import styles from './dimension-strip.module.css';
import { StepLink } from './step-link.tsx';

const MANY = 6;
/** So many ratings side by side are worth saying that dimensions can be kept. */
const LOOKS_LIKE_A_SCALE = 4;

interface DimensionStripProps {
  declaration: Declaration;
  version: Version;
}

export function DimensionStrip({ declaration, version }: DimensionStripProps) {
  const tools = useForm();
  const { takes_dimensions, fields } = declaration;
  const takes = takes_dimensions ?? null;
  if (takes === null) return null;
  const dimensions = (version.questionnaire?.dimensions ?? []).filter((one) => itemsFor(takes, one).length > 0);
  if (version.questionnaire === null) return <Unconfirmed version={version} tools={tools} />;
  if (dimensions.length === 0) return null;
  const target = { takes, fields };
  const placed = placedIn(tools.form, target, dimensions);
  const put = (wanted: readonly Dimension[], text: string): void => {
    const inOrder = dimensions.filter((one) => wanted.includes(one));
    tools.apply(withDimensions(tools.form, target, dimensions, inOrder), text);
    tools.announce(text);
  };
  const fitting = onOneScale(takes, placed.length > 0 ? [...placed, ...dimensions] : dimensions);
  const all = dimensions.filter((one) => fitting.includes(one));
  const left = all.filter((one) => !placed.includes(one));
  const raw = unturned(takes, placed);
  return (
    <div className={styles['strip']} role="group" aria-label="问卷维度">
      <span className={styles['title']}>{takes.turns ? '反向题' : '问卷维度'}</span>
      {dimensions.length > 1 && left.length > 0 ? (
        <Button size="small" disabled={tools.readOnly} onClick={() => put(all, `放入${all.length}个维度`)}>
          全部放入
        </Button>
      ) : null}
      {dimensions.map((one) => {
        const isIn = placed.includes(one);
        const isOther = !isIn && !fitting.includes(one);
        const { length } = itemsFor(takes, one);
        return (
          <button
            key={one.id}
            type="button"
            className={styles['chip']}
            aria-pressed={isIn}
            disabled={tools.readOnly || isOther}
            title={isOther ? '量尺的最小值或最大值与已放入的维度不同，请分次做' : hintOf(one, tools)}
            onClick={() =>
              isIn
                ? put(
                    placed.filter((other) => other !== one),
                    `移去维度“${one.name}”`,
                  )
                : put([...placed, one], `放入维度“${one.name}”`)
            }
          >
            {one.name} <span>{length}</span>
          </button>
        );
      })}
      {raw.length === 0 ? null : (
        <p className={styles['raw']}>
          {raw.length} 道反向题（{namesOf(raw, tools)}
          ）按原来的方向放入：这个方法不转换反向题，它们的载荷通常与其余题符号相反。请先转换，再分析。
          <StepLink version={version} dimensions={dimensions} step={recodeStep} text="转换反向题" size="small" />
        </p>
      )}
    </div>
  );
}

function namesOf(ids: readonly string[], { known }: FormTools): string {
  const names = ids.slice(0, MANY).map((id) => {
    const column = known.get(id);
    return column === undefined ? id : titleOf(column);
  });
  return `${names.join('、')}${ids.length > MANY ? ' 等' : ''}`;
}

function hintOf({ columns, reversed }: Dimension, tools: FormTools): string {
  return `${namesOf(columns, tools)}${reversed.length > 0 ? `；反向题：${namesOf(reversed, tools)}` : ''}`;
}

function Unconfirmed({ version, tools }: { version: Version; tools: FormTools }) {
  const scales = tools.columns.filter(({ flags }) => flags.includes('量表'));
  if (scales.length < LOOKS_LIKE_A_SCALE) return null;
  return (
    <p className={styles['unconfirmed']}>
      <Link to={`/mydata/detail/${version.vid}?tab=survey`}>确认问卷结构</Link>
      后，维度和反向题可以一键放入。
    </p>
  );
}
