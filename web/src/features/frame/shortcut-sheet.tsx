/** The keyboard map, and the switch that turns it off (WCAG 2.1.4). */
import { Switch } from 'antd';

import { prompts } from '../../lib/prompts.ts';
import { switchShortcuts, useShortcutsOn } from '../../lib/shortcuts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './shortcut-sheet.module.css';

interface Group {
  title: string;
  keys: readonly (readonly [keys: string, action: string])[];
}

const GROUPS: readonly Group[] = [
  {
    title: '任何页面',
    keys: [
      ['Ctrl K', '命令面板：找方法、数据、报告、帮助'],
      ['/', '在当前列表里搜索'],
      ['Esc', '关闭、取消'],
      ['?', '这张表'],
    ],
  },
  {
    title: '数据表',
    keys: [
      ['↑ ↓ ← →', '移动到相邻的格'],
      ['Home / End', '本行第一列 / 最后一列'],
      ['Ctrl Home / Ctrl End', '第一格 / 最后一格'],
      ['PageUp / PageDown', '上一屏 / 下一屏'],
      ['Ctrl G', '转到变量或行'],
      ['Ctrl Alt L', '显示值 / 显示标签'],
      ['Ctrl F / F3', '查找 / 下一处'],
      ['Ctrl H', '查找和替换'],
      ['Ctrl Shift F', '筛选'],
      ['Shift 方向键', '选中一块'],
      ['Ctrl A / Shift 空格 / Ctrl 空格', '选中全部 / 整行 / 整列'],
      ['Ctrl C', '复制选中的格'],
      ['Alt ↓', '列的菜单'],
      ['菜单键 / Shift F10', '增删行列的菜单'],
      ['Ctrl Alt = / Ctrl Alt -', '插入 / 删除所选的行或列'],
      ['F2 / Enter', '改单元格（打开“编辑”后）'],
      ['Delete / Ctrl X / Ctrl V', '清空 / 剪切 / 粘贴（打开“编辑”后）'],
    ],
  },
  {
    title: '分析',
    keys: [
      ['Enter', '把选中的变量放进合适的框'],
      ['1 … 9', '放进第几个框'],
      ['Delete', '从框里取出'],
      ['Alt ↑ / Alt ↓', '在框内调整顺序'],
      ['Ctrl A', '全选变量'],
      ['Ctrl Enter', '立即运行'],
      ['Ctrl Z / Ctrl Shift Z', '撤销 / 重做'],
      ['F6 / Shift F6', '下一栏 / 上一栏'],
      ['Alt T', '搜索数据处理的工具'],
    ],
  },
  {
    title: '报告',
    keys: [
      ['Ctrl Shift C', '把所指的表复制为三线表'],
      ['Ctrl Z / Ctrl Y', '撤销 / 重做显示设置'],
    ],
  },
];

export function ShortcutSheet() {
  const on = useShortcutsOn((state) => state.on);
  return (
    <Dialog open title="键盘快捷键" width="wide" onClose={prompts.closeShortcuts}>
      <p className={styles['switch']}>
        <Switch aria-label="使用快捷键" checked={on} onChange={switchShortcuts} /> 使用快捷键
      </p>
      <div className={styles['groups']}>
        {GROUPS.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3>{group.title}</h3>
            <dl className={styles['keys']}>
              {group.keys.map(([keys, action]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
