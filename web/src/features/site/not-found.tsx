/** What is sent with the status 404: the nearest addresses, the search of the help centre, the way home. */
import { Actions, ButtonLink, Each, Has, Opening, type SitePage, styles } from './parts.tsx';

function NotFound() {
  return (
    <Opening title="没有这个页面" lead="可能是地址有误，或页面已改名。">
      <Has name="near">
        <p className={styles['text']}>地址相近的页面：</p>
      </Has>
      <div className={styles['methods']}>
        <Each of="near">
          <a href="{{path}}">{'{{title}}'}</a>
        </Each>
      </div>
      <Actions>
        <ButtonLink to="/" strong>
          回到首页
        </ButtonLink>
        <ButtonLink to="/help/">在帮助中心查找</ButtonLink>
      </Actions>
    </Opening>
  );
}

export const notFound: SitePage = {
  path: '/404/',
  title: '没有这个页面',
  description: '这个地址上没有页面。可能是地址有误，或页面已改名。可以从首页、帮助中心或地址相近的页面继续。',
  noindex: true,
  Body: NotFound,
};
