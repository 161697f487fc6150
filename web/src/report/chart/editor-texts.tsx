/** Texts of the reader's own on the figure, in its editor; in the figure they are moved by the mouse and by keys. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import {
  type Annotation,
  type FigureEdit,
  inside,
  MOST_TEXTS,
  TEXT_LETTERS,
} from '@hengxi/contracts/chart/figure-edit';
import { Button, Input, Select } from 'antd';
import { useState } from 'react';

import { type Change, Part, Typed } from './editor-parts.tsx';
import styles from './figure-editor.module.css';

interface TextsProps {
  edit: FigureEdit;
  /** Labels of the facets; one empty text where there are none. */
  facets: readonly string[];
  onChange: (next: Change) => void;
}

export function Texts({ edit, facets, onChange }: TextsProps) {
  const [own, setOwn] = useState('');
  const [facet, setFacet] = useState(facets[0] ?? '');
  const texts = edit.texts ?? [];
  const keep = (next: Annotation[]): void => onChange({ texts: next.length === 0 ? undefined : next });
  const add = (): void => {
    const text = own.trim();
    if (text === '' || texts.length >= MOST_TEXTS) return;
    // One below the other, so that none hides another.
    keep([...texts, { x: 0.45, y: inside(0.12 + 0.08 * (texts.length % 10)), text, facet }]);
    setOwn('');
  };
  return (
    <Part title="文字标注">
      {texts.map((text, i) => (
        <div key={`${i}`} className={styles['line']}>
          <Typed
            label={`标注 ${i + 1}`}
            value={text.text}
            most={TEXT_LETTERS}
            onDone={(next) =>
              keep(texts.flatMap((t, k) => (k !== i ? [t] : next === '' ? [] : [{ ...t, text: next }])))
            }
          />
          <Button
            size="small"
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={`删除标注 ${text.text}`}
            onClick={() => keep(texts.filter((_, k) => k !== i))}
          />
        </div>
      ))}
      <div className={`${styles['line']} ${styles['wide']}`}>
        {facets.length > 1 ? (
          <Select<string>
            size="small"
            aria-label="标注在哪一格"
            value={facet}
            options={facets.map((value) => ({ value, label: value }))}
            onChange={setFacet}
          />
        ) : null}
        <Input
          size="small"
          aria-label="新的标注"
          placeholder="写上要标注的文字"
          maxLength={TEXT_LETTERS}
          value={own}
          onChange={(e) => setOwn(e.target.value)}
          onPressEnter={(event) => {
            if (!event.nativeEvent.isComposing) add();
          }}
        />
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          aria-label="加标注"
          disabled={own.trim() === '' || texts.length >= MOST_TEXTS}
          onClick={add}
        />
      </div>
      {texts.length > 0 ? (
        <p className={styles['hint']}>在图上拖动标注，或选中后按方向键移动（按住 Shift 移得更远），Delete 删除。</p>
      ) : null}
    </Part>
  );
}
