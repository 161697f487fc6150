/** The items of a Delphi: typed in rows, or pasted with one a line. */
import type { Item } from '@hengxi/server/expert-questionnaires/schema';
import { Button, Input } from 'antd';
import { useState } from 'react';

import styles from './pro.module.css';
import { freshId } from './words.ts';

/** "维度⇥指标⇥说明", "维度⇥指标" or "指标" a line. */
export function pasted(text: string, before: readonly Item[]): Item[] {
  const items = [...before];
  for (const line of text.split(/\r?\n/u)) {
    const cells = line.split('\t').map((cell) => cell.trim());
    if (cells.every((cell) => cell === '')) continue;
    const [dimension = '', name = '', note = ''] = cells.length === 1 ? ['', ...cells] : cells;
    const id = freshId(items.map((item) => item.id));
    items.push({ id, dimension: dimension.slice(0, 100), text: name.slice(0, 200), note: note.slice(0, 500) });
  }
  return items;
}

export function ItemEditor({ items, onChange }: { items: Item[]; onChange: (items: Item[]) => void }) {
  const [text, setText] = useState('');
  const change = (id: string, part: Partial<Item>) =>
    onChange(items.map((item) => (item.id === id ? { ...item, ...part } : item)));
  return (
    <>
      {items.map((item, at) => (
        <div key={item.id} className={styles['row']}>
          <span className={styles['quiet']}>{at + 1}</span>
          <Input
            aria-label={`第 ${at + 1} 个指标的维度`}
            placeholder="维度"
            value={item.dimension}
            maxLength={100}
            onChange={(event) => change(item.id, { dimension: event.target.value })}
          />
          <Input
            aria-label={`第 ${at + 1} 个指标`}
            placeholder="指标"
            value={item.text}
            maxLength={200}
            onChange={(event) => change(item.id, { text: event.target.value })}
          />
          <Input
            aria-label={`第 ${at + 1} 个指标的说明`}
            placeholder="说明（选填）"
            value={item.note}
            maxLength={500}
            onChange={(event) => change(item.id, { note: event.target.value })}
          />
          <Button
            type="text"
            aria-label={`删除第 ${at + 1} 个指标`}
            onClick={() => onChange(items.filter((one) => one !== item))}
          >
            删除
          </Button>
        </div>
      ))}
      <div className={styles['field']}>
        <Input.TextArea
          aria-label="粘贴指标"
          placeholder="一行一个指标；也可以从表格里粘贴“维度、指标、说明”三列"
          autoSize={{ minRows: 2, maxRows: 10 }}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span>
          <Button
            disabled={text.trim() === ''}
            onClick={() => {
              onChange(pasted(text, items));
              setText('');
            }}
          >
            添加指标
          </Button>
        </span>
      </div>
    </>
  );
}
