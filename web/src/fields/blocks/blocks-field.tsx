/** Named groups of variables (contract: blocks): a box for each, its name in its head; a drop on the last box makes a group. */
import type { BlocksField as Declaration } from '@hengxi/contracts/contract';
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';

import { VariableBox } from '../boxes/variable-box.tsx';
import { PlainCell } from '../cells/plain-cell.tsx';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import type { Block } from './read-blocks.ts';
import { blockKey, LOOSE, moved, newKey, readBlocks } from './read-blocks.ts';
import styles from './blocks-field.module.css';

const NAME_LENGTH = 40;

const sizeText = ([least, most]: Declaration['size']): string =>
  most === null ? `每组至少 ${least} 个` : least === most ? `每组 ${least} 个` : `每组 ${least} 到 ${most} 个`;

export function BlocksField({ field, value }: FieldProps<Declaration>) {
  const { boxes, set, readOnly, announce } = useForm();
  const blocks = readBlocks(value);
  const named = blocks.filter((block) => block.id !== LOOSE);

  const change = (id: string, key: string, next: unknown): void =>
    set(
      field.key,
      blocks.map((block) => (block.id === id ? { ...block, [key]: next } : block)),
      { text: `修改${field.title}`, tag: `${field.key}.${id}.${key}` },
    );
  const drop = (block: Block): void => {
    const text = `删除${field.title}“${block.name}”`;
    set(
      field.key,
      blocks.filter(({ id }) => id !== block.id),
      { text },
    );
    announce(`已${text}`);
  };
  const shift = (block: Block, by: -1 | 1): void => {
    set(field.key, moved(value, block.id, by), { text: `调整${field.title}的顺序` });
    announce(`已${by < 0 ? '上移' : '下移'}“${block.name}”`);
  };

  const draw = (key: string, block?: Block, at = 0) => {
    const index = boxes.findIndex((box) => box.key === key);
    const box = boxes[index];
    if (box === undefined) return null;
    const number = index < 9 ? index + 1 : null;
    if (block === undefined) return <VariableBox key={key} box={box} number={number} />;
    const name = block.name ?? '';
    return (
      <div key={key} className={styles['block']}>
        <VariableBox
          box={box}
          number={number}
          heading={
            <Input
              className={styles['name'] ?? ''}
              size="small"
              aria-label={`${field.title}第 ${at + 1} 组的名称`}
              maxLength={NAME_LENGTH}
              disabled={readOnly}
              value={name}
              onChange={(event) => change(block.id, 'name', event.target.value)}
            />
          }
          tools={
            readOnly ? null : (
              <>
                {field.ordered && named.length > 1 ? (
                  <>
                    <Button
                      type="text"
                      size="small"
                      icon={<ArrowUpOutlined aria-hidden />}
                      aria-label={`上移“${name}”`}
                      disabled={at === 0}
                      onClick={() => shift(block, -1)}
                    />
                    <Button
                      type="text"
                      size="small"
                      icon={<ArrowDownOutlined aria-hidden />}
                      aria-label={`下移“${name}”`}
                      disabled={at === named.length - 1}
                      onClick={() => shift(block, 1)}
                    />
                  </>
                ) : null}
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={`删除“${name}”`}
                  onClick={() => drop(block)}
                />
              </>
            )
          }
        />
        {field.cells.length === 0 ? null : (
          <div className={styles['cells']}>
            {field.cells.map((cell) => (
              <span key={cell.key}>
                {cell.title}
                <PlainCell
                  cell={cell}
                  value={block[cell.key]}
                  label={`${name}：${cell.title}`}
                  disabled={readOnly}
                  onChange={(next) => change(block.id, cell.key, next)}
                />
              </span>
            ))}
          </div>
        )}
      </div>
    );
  };

  return (
    <section className={styles['blocks']} data-field={field.key} aria-labelledby={`blocks-${field.key}`}>
      <h2 id={`blocks-${field.key}`} className={styles['title']}>
        {field.title}
        <Hint text={field.hint} />
        <small>
          {field.measure === '任意' ? '' : `${field.measure}，`}
          {sizeText(field.size)}
        </small>
      </h2>
      {named.map((block, at) => draw(blockKey(field.key, block.id), block, at))}
      {readOnly ? null : draw(newKey(field.key))}
      {field.loose ? draw(blockKey(field.key, LOOSE)) : null}
      <Faults of={field.key} />
    </section>
  );
}
