/** 教育认证: where it stands, and the application (edu=1, eduParams=new or edit). */
import type { EduAuth } from '@hengxi/server/membership/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { formatDay } from '../../../lib/format-size.ts';
import { prompts } from '../../../lib/prompts.ts';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { educationQuery } from '../queries.ts';
import styles from '../sections.module.css';
import { EducationForm } from './education-form.tsx';

export function EducationSection({ start }: { start: 'new' | 'edit' | null }) {
  const education = useQuery(educationQuery);
  const [isOpen, setOpen] = useState(start !== null);
  if (education.isPending) return <ListSkeleton rows={4} />;
  if (education.isLoadingError) return <p role="alert">{errorText(education.error)}</p>;
  const { data } = education;
  const canApply = data.status === null || data.status === 2;
  return (
    <section className={styles['section']} aria-labelledby="member-edu">
      <h2 id="member-edu">教育认证</h2>
      <Standing data={data} isOpen={isOpen} onApply={() => setOpen(true)} />
      {canApply && isOpen ? <EducationForm known={data} onDone={() => setOpen(false)} /> : null}
    </section>
  );
}

function Standing({ data, isOpen, onApply }: { data: EduAuth; isOpen: boolean; onApply: () => void }) {
  const apply = (text: string) =>
    isOpen ? null : (
      <Button type="primary" onClick={onApply}>
        {text}
      </Button>
    );
  return (
    <div className={styles['state']}>
      {data.status === 0 ? (
        <p>审核中，一般不超过 {data.review_days} 个工作日。通过后可以购买教育套餐。</p>
      ) : data.status === 1 ? (
        <>
          <p>
            已认证（{data.school}，{data.role === 'teacher' ? '教师' : '学生'}），有效期至 {formatDay(data.valid_to)}。
          </p>
          <Button onClick={() => prompts.openPurchase({ buy: 3 })}>查看教育套餐</Button>
        </>
      ) : data.status === 2 ? (
        <>
          <p>未通过：{data.reason ?? '材料不符合要求'}</p>
          {apply('重新认证')}
        </>
      ) : (
        <>
          <p>还没有认证。在校师生通过后可以购买教育套餐，一次认证 12 个月内有效。</p>
          {apply('去认证')}
        </>
      )}
    </div>
  );
}
