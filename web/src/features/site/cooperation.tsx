/** /business-cooperation/: what can be talked about, and the form. Without a script the form cannot be sent; the lines can. */
import { LEAD_LIMITS, TOPICS } from '@hengxi/server/cooperation/schema';
import type { ReactNode } from 'react';

import { Has, HasNot, Opening, Section, type SitePage, styles } from './parts.tsx';

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  children: ReactNode;
}

function Field({ name, label, hint, children }: FieldProps) {
  return (
    <div className={styles['field']}>
      <label htmlFor={`lead-${name}`}>
        {label}
        {hint === undefined ? null : <small>{hint}</small>}
      </label>
      {children}
      <p className={styles['fault']} id={`lead-${name}-fault`} data-fault={name} />
    </div>
  );
}

function Form() {
  const described = (name: string) => ({ id: `lead-${name}`, name, 'aria-describedby': `lead-${name}-fault` });
  return (
    <form className={styles['form']} data-cooperation="" noValidate>
      <Field name="name" label="称呼">
        <input {...described('name')} maxLength={LEAD_LIMITS.name} autoComplete="name" required />
      </Field>
      <Field name="company" label="单位" hint="可不填">
        <input {...described('company')} maxLength={LEAD_LIMITS.company} autoComplete="organization" />
      </Field>
      <Field name="phone" label="手机" hint="手机和邮箱至少填一项">
        <input {...described('phone')} type="tel" inputMode="numeric" maxLength={11} autoComplete="tel" />
      </Field>
      <Field name="mail" label="邮箱">
        <input {...described('mail')} type="email" maxLength={LEAD_LIMITS.mail} autoComplete="email" />
      </Field>
      <Field name="topic" label="方向">
        <select {...described('topic')}>
          {Object.entries(TOPICS).map(([topic, title]) => (
            <option key={topic} value={topic}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <Field name="text" label="说明" hint={`${LEAD_LIMITS.text[0]}–${LEAD_LIMITS.text[1]} 字`}>
        <textarea {...described('text')} rows={6} maxLength={LEAD_LIMITS.text[1]} required />
      </Field>
      <div className={styles['field']}>
        <label className={styles['tick']}>
          <input type="checkbox" {...described('consent')} />
          <span>
            我同意按<a href="/privacy">《隐私协议》</a>用这些信息联系我
          </span>
        </label>
        <p className={styles['fault']} id="lead-consent-fault" data-fault="consent" />
      </div>
      <div data-captcha="" hidden className={styles['captcha']} />
      <p className={styles['fault']} role="alert" data-fault="all" data-mail="{{company.mail}}" />
      <button type="submit" className={styles['strong']} data-kind="{{captcha}}">
        提交
      </button>
    </form>
  );
}

function Body() {
  return (
    <>
      <Opening title="说说你要解决的问题" lead="企业和高校采购、渠道、课程与培训、数据接口，都可以在这里联系。" />
      <Section id="form" title="留下联系方式">
        <noscript>
          <p className={styles['note']}>提交表单需要打开 JavaScript；也可以用下面的方式联系。</p>
        </noscript>
        <Form />
        <div className={styles['taken']} data-taken="" role="status" tabIndex={-1} hidden />
      </Section>
      <Section id="lines" title="直接联系">
        <Has name="company.mail">
          <p className={styles['text']}>
            邮箱 <a href="mailto:{{company.mail}}">{'{{company.mail}}'}</a>
          </p>
        </Has>
        <Has name="company.hotline">
          <p className={styles['text']}>{'电话 {{company.hotline}}'}</p>
        </Has>
        <HasNot name="company.mail">
          <p className={styles['text']}>没有设置邮箱，请用上面的表单。</p>
        </HasNot>
      </Section>
      <Section id="kept" title="这些信息怎么用">
        <p className={styles['text']}>只用来就这件事联系你，保存 2 年后删除。要提前删除，请在提交后告诉我们编号。</p>
      </Section>
    </>
  );
}

export const cooperation: SitePage = {
  path: '/business-cooperation/',
  title: '商务合作',
  description: '企业采购、高校采购、渠道、课程与培训、数据接口的合作联系。填写要解决的问题和联系方式，提交后得到编号。',
  Body,
};
