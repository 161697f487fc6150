/** What a method takes, from its declaration: the boxes for variables, and every option with its default. */
import { defaultOf } from './numbers.ts';
import styles from './help-page.module.css';

type Field = Record<string, unknown>;

const BOXES = new Set(['role', 'weight', 'timeline', 'matched', 'blocks', 'within']);

function isField(value: unknown): value is Field {
  return typeof value === 'object' && value !== null && 'type' in value && 'title' in value;
}

function fieldsOf(declaration: Record<string, unknown>): Field[] {
  const fields: unknown = declaration['fields'];
  return Array.isArray(fields) ? fields.filter(isField) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function count(field: Field): string {
  if (field['required'] === false) return '可选';
  const { min, max } = field;
  if (field['many'] !== true) return '正好 1 个';
  if (min === max && min !== null && min !== undefined) return `正好 ${text(min)} 个`;
  const least = `至少 ${text(min) || '1'} 个`;
  return typeof max === 'number' ? `${least}，最多 ${max} 个` : least;
}

function levels(field: Field): string {
  const range: unknown = field['levels'];
  if (!Array.isArray(range)) return '';
  const [low, high]: unknown[] = range;
  if (low === high) return `，正好 ${text(low)} 组`;
  return `，${text(low)}${high === null ? ' 组以上' : `–${text(high)} 组`}`;
}

function kindOf(field: Field): string {
  if (field['type'] !== 'weight') return text(field['measure']) || '任意';
  if (field['kind'] === 'precision') return '定量，正数';
  return field['whole'] === true ? '定量，非负整数' : '定量，不为负';
}

export function RoleTable({ declaration }: { declaration: Record<string, unknown> }) {
  const roles = fieldsOf(declaration).filter((field) => BOXES.has(text(field['type'])));
  if (roles.length === 0) return null;
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label="选项表">
      <table className={styles['table']}>
        <caption className="hx-hidden">变量的要求</caption>
        <thead>
          <tr>
            <th scope="col">变量框</th>
            <th scope="col">类型</th>
            <th scope="col">个数</th>
          </tr>
        </thead>
        <tbody>
          {roles.map((field) => (
            <tr key={text(field['key'])}>
              <th scope="row">{text(field['title'])}</th>
              <td>
                {kindOf(field)}
                {levels(field)}
              </td>
              <td>{count(field)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** 按取值、频数降序 …; 0.5–0.999. */
function range(field: Field): string {
  const options: unknown = field['options'];
  if (Array.isArray(options)) {
    return options.map((option: unknown) => (isRecord(option) ? text(option['title']) : '')).join('、');
  }
  if (field['type'] === 'flag') return '是、否';
  const share = (value: unknown) =>
    field['percent'] === true && typeof value === 'number' ? `${Math.round(value * 1e4) / 100}%` : text(value);
  const low = share(field['least'] ?? field['above']);
  const high = share(field['most'] ?? field['below']);
  if (low && high) return `${low} – ${high}`;
  if (low) return `${field['above'] === null || field['above'] === undefined ? '不小于' : '大于'} ${low}`;
  return high ? `不大于 ${high}` : '–';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function OptionTable({ declaration }: { declaration: Record<string, unknown> }) {
  const options = fieldsOf(declaration).filter((field) => !BOXES.has(text(field['type'])));
  if (options.length === 0) return null;
  return (
    <details className={styles['options']}>
      <summary>全部选项（{options.length}）</summary>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-label="选项表">
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">选项</th>
              <th scope="col">可选</th>
              <th scope="col">默认</th>
            </tr>
          </thead>
          <tbody>
            {options.map((field) => (
              <tr key={text(field['key'])}>
                <th scope="row">
                  {text(field['title'])}
                  {field['hint'] ? <small>{text(field['hint'])}</small> : null}
                </th>
                <td>{range(field)}</td>
                <td>{defaultOf(field) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
