/** Colours, letters and size of a figure, in its editor. */
import {
  type FigureEdit,
  type FigureSize,
  LETTER_NAMES,
  LETTERS,
  type Letters,
  type Palette,
  PALETTE_NAMES,
  PALETTES,
  POINTS,
  SIZE_NAMES,
  SIZES,
} from '@hengxi/contracts/chart/figure-edit';
import { fill, LIGHT, themed } from '@hengxi/contracts/chart/theme';
import { Radio, Select } from 'antd';

import { type Change, Part, Row } from './editor-parts.tsx';
import styles from './figure-editor.module.css';
import { HatchMark } from './hatch-mark.tsx';

export function Look({
  edit,
  hatched,
  onChange,
}: {
  edit: FigureEdit;
  hatched: boolean;
  onChange: (next: Change) => void;
}) {
  const palettes = PALETTES.filter((p) => hatched || p !== 'pattern');
  return (
    <Part title="样子">
      <Radio.Group
        aria-label="颜色"
        className={styles['palettes']}
        value={edit.palette ?? 'house'}
        onChange={(event) => {
          const palette: Palette = event.target.value;
          onChange({ palette });
        }}
      >
        {palettes.map((palette) => (
          <Radio key={palette} value={palette}>
            <span className={styles['palette']}>
              <span>{PALETTE_NAMES[palette]}</span>
              <Swatches palette={palette} />
            </span>
          </Radio>
        ))}
      </Radio.Group>
      <Row label="字体">
        <Select<Letters>
          size="small"
          aria-label="字体"
          value={edit.letters ?? 'house'}
          options={LETTERS.map((value) => ({ value, label: LETTER_NAMES[value] }))}
          onChange={(letters) => onChange({ letters })}
        />
      </Row>
      <Row label="字号">
        <Select<number>
          size="small"
          aria-label="字号"
          value={edit.pt ?? 9}
          options={POINTS.map((value) => ({ value, label: `${value} pt` }))}
          onChange={(pt) => onChange({ pt })}
        />
      </Row>
      <Row label="尺寸">
        <Select<FigureSize | 'page'>
          size="small"
          aria-label="尺寸"
          value={edit.size ?? 'page'}
          options={[{ value: 'page', label: '随页面' }, ...SIZES.map((value) => ({ value, label: SIZE_NAMES[value] }))]}
          onChange={(size) =>
            onChange(size === 'page' ? { size: undefined, asPage: true } : { size, asPage: undefined })
          }
        />
      </Row>
    </Part>
  );
}

function Swatches({ palette }: { palette: Palette }) {
  const theme = themed(LIGHT, { palette });
  return (
    <span className={styles['swatches']} aria-hidden="true">
      {[0, 1, 2, 3, 4].map((i) => {
        const { color, decal } = fill(theme, i);
        return (
          <span key={i} style={{ backgroundColor: color }}>
            <HatchMark decal={decal} width={26} height={10} />
          </span>
        );
      })}
    </span>
  );
}
