/** 设置: how missing values are treated, how the product looks, whether shortcuts are on. */
import { useMutation } from '@tanstack/react-query';
import { Radio, Segmented, Switch } from 'antd';

import { type AppearanceChoice, chooseAppearance, useAppearance } from '../../../lib/appearance.ts';
import { reloadMe, useMe } from '../../../lib/me.ts';
import { switchShortcuts, useShortcutsOn } from '../../../lib/shortcuts.ts';
import { toast } from '../../../lib/toast.ts';
import sections from '../sections.module.css';
import styles from './account.module.css';
import { saveConfig } from './queries.ts';

const CHOICES: { value: AppearanceChoice; label: string }[] = [
  { value: 'system', label: '跟随系统' },
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
];

export function SettingsSection() {
  const me = useMe();
  const choice = useAppearance((state) => state.choice);
  const shortcuts = useShortcutsOn((state) => state.on);
  const save = useMutation({
    mutationFn: saveConfig,
    onSuccess: async () => {
      await reloadMe();
      toast.done('修改成功');
    },
  });
  const value = save.isPending ? save.variables.fill_nan_adjusted : me?.config.fill_nan_adjusted;
  return (
    <>
      <section className={sections['section']} aria-labelledby="member-data">
        <h2 id="member-data">数据设置</h2>
        <p className={styles['hint']}>分析时遇到缺失值怎么办。每份报告都会写明用了多少行，以及其余的为什么没有用。</p>
        <Radio.Group
          aria-labelledby="member-data"
          className={styles['choices']}
          value={value}
          disabled={!me}
          onChange={(event) => {
            const chosen: unknown = event.target.value;
            save.mutate({ fill_nan_adjusted: chosen === 1 ? 1 : 0 });
          }}
          options={[
            { value: 0, label: '剔除有缺失的行（默认）' },
            { value: 1, label: '填补后再分析：定量用均值，定类用众数' },
          ]}
        />
      </section>
      <section className={sections['section']} aria-labelledby="member-look">
        <h2 id="member-look">外观与操作</h2>
        <dl className={sections['facts']}>
          <dt>外观</dt>
          <dd>
            <Segmented aria-label="外观" options={CHOICES} value={choice} onChange={chooseAppearance} />
          </dd>
          <dt>快捷键</dt>
          <dd>
            <Switch aria-label="使用快捷键" checked={shortcuts} onChange={switchShortcuts} />
          </dd>
        </dl>
      </section>
    </>
  );
}
