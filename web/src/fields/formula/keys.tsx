/** Keys for a formula: what a phone's keyboard hides, and what a mouse can write without one. */
import { ArrowLeftOutlined, FunctionOutlined } from '@ant-design/icons';

import { DropMenu } from '../../ui/drop-menu.tsx';
import styles from './symbolic-field.module.css';

const SIGNS = [
  ['+', '加'],
  ['-', '减'],
  ['*', '乘'],
  ['/', '除'],
  ['(', '左括号'],
  [')', '右括号'],
] as const;
const COMPARISONS = [
  ['<=', '≤', '小于等于'],
  ['>=', '≥', '大于等于'],
  ['=', '=', '等于'],
] as const;
const FUNCTIONS = ['SQRT', 'EXP', 'LN', 'LOG10', 'ABS', 'SIN', 'COS', 'TAN', 'MIN', 'MAX', 'SUM'];
const SHOWN = 12;
const GLYPHS: Readonly<Record<string, string>> = { '-': '−', '*': '×', '/': '÷' };

export interface KeysProps {
  names: readonly string[];
  compares: boolean;
  power: boolean;
  onPower: () => void;
  onPut: (piece: string) => void;
  onBack: () => void;
}

/** The line keeps the focus: pressing a key does not take it away. */
const still = (event: { preventDefault: () => void }): void => event.preventDefault();

function Key({
  text,
  label,
  onPress,
  pressed,
}: {
  text: string;
  label: string;
  onPress: () => void;
  pressed?: boolean;
}) {
  return (
    <button
      type="button"
      className={styles['key']}
      aria-label={label}
      aria-pressed={pressed}
      onMouseDown={still}
      onClick={onPress}
    >
      {text}
    </button>
  );
}

export function Keys({ names, compares, power, onPower, onPut, onBack }: KeysProps) {
  const rest = names.slice(SHOWN);
  return (
    <div className={styles['keys']} role="toolbar" aria-label="公式按键">
      {names.slice(0, SHOWN).map((name) => (
        <button
          key={name}
          type="button"
          className={`${styles['key']} ${styles['name']}`}
          aria-label={`写入变量 ${name}`}
          onMouseDown={still}
          onClick={() => onPut(name)}
        >
          {name}
        </button>
      ))}
      {rest.length === 0 ? null : (
        <DropMenu
          menu={{
            style: { maxHeight: 320, overflowY: 'auto' },
            items: rest.map((name) => ({ key: name, label: name })),
            onClick: ({ key }) => onPut(key),
          }}
        >
          <button type="button" className={styles['key']}>
            更多变量
          </button>
        </DropMenu>
      )}
      {SIGNS.map(([sign, label]) => (
        <Key key={sign} text={GLYPHS[sign] ?? sign} label={label} onPress={() => onPut(sign)} />
      ))}
      {compares
        ? COMPARISONS.map(([sign, text, label]) => (
            <Key key={sign} text={text} label={label} onPress={() => onPut(` ${sign} `)} />
          ))
        : null}
      <Key text="xⁿ" label={power ? '上标：开' : '上标：接下来的数字写成幂'} pressed={power} onPress={onPower} />
      <DropMenu
        menu={{
          style: { maxHeight: 320, overflowY: 'auto' },
          items: FUNCTIONS.map((name) => ({ key: name, label: name })),
          onClick: ({ key }) => onPut(`${key}(`),
        }}
      >
        <button type="button" className={styles['key']} aria-label="函数">
          <FunctionOutlined aria-hidden />
        </button>
      </DropMenu>
      <button
        type="button"
        className={styles['key']}
        aria-label="删除最后一个符号"
        onMouseDown={still}
        onClick={onBack}
      >
        <ArrowLeftOutlined aria-hidden />
      </button>
    </div>
  );
}
