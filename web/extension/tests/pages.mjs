// The pages of the tests: five sites in four languages, with what sites put
// around their articles.

const frame = {
  en: { menu: ["Home", "News", "Sports", "Weather"], cookies: "We value your privacy. Accept all cookies?", footer: "All rights reserved. Terms of use.", more: "Read also: ten things to do this weekend" },
  es: { menu: ["Inicio", "Noticias", "Deportes", "Tiempo"], cookies: "Respetamos su privacidad. ¿Aceptar todas las cookies?", footer: "Todos los derechos reservados. Condiciones de uso.", more: "Lea también: diez planes para este fin de semana" },
  fr: { menu: ["Accueil", "Actualités", "Sports", "Météo"], cookies: "Votre vie privée compte. Tout accepter ?", footer: "Tous droits réservés. Conditions d’utilisation.", more: "À lire aussi : dix idées pour ce week-end" },
  pt: { menu: ["Início", "Notícias", "Desporto", "Tempo"], cookies: "Respeitamos a sua privacidade. Aceitar todos os cookies?", footer: "Todos os direitos reservados. Termos de utilização.", more: "Leia também: dez coisas para fazer neste fim de semana" },
};

export const story = {
  en: [
    "The harbour of Nessel will stay closed for three weeks, the town's council said on Monday, after divers had found stones from the old pier in the channel.",
    "Fishermen may use the neighbouring port of Ost until the work is done, and the council pays what it costs them to get there.",
    "It is the first time since the storm of 1987 that no ship can enter the harbour, and the ferry to the islands leaves from Ost as well.",
    "The captain of the ferry said that his passengers would need an hour more, and that most of them took it with good humour.",
  ],
  en2: [
    "Nessel's harbour is shut until the middle of December because stones of the old pier lie in its channel, as the council announced.",
    "A company from the capital is to lift the stones with a floating crane, which will arrive on Thursday if the wind allows it.",
    "The old pier had been weakened by the waves of two winters, engineers said, and a part of it broke off at the end of October.",
    "Shops near the harbour expect fewer visitors in the weeks before Christmas and ask the council to help them as well.",
  ],
  es: [
    "El puerto de Nessel permanecerá cerrado durante tres semanas, informó el lunes el ayuntamiento, después de que unos buzos encontraran piedras del viejo muelle en el canal.",
    "Los pescadores pueden utilizar el puerto vecino de Ost hasta que terminen los trabajos, y el ayuntamiento paga los gastos del viaje.",
    "Una empresa de la capital levantará las piedras con una grúa flotante, que llegará el jueves si el viento lo permite.",
    "Los comerciantes de la zona esperan menos visitantes antes de la Navidad y piden ayuda al ayuntamiento.",
  ],
  fr: [
    "Le port de Nessel restera fermé pendant trois semaines, a annoncé lundi le conseil municipal, après que des plongeurs ont trouvé des pierres de la vieille jetée dans le chenal.",
    "Les pêcheurs peuvent utiliser le port voisin d’Ost jusqu’à la fin des travaux, et la commune leur rembourse le trajet.",
    "Une entreprise de la capitale doit soulever les pierres avec une grue flottante, qui arrivera jeudi si le vent le permet.",
    "La vieille jetée avait été affaiblie par les vagues de deux hivers, selon les ingénieurs, et une partie s’en est détachée fin octobre.",
  ],
  pt: [
    "O porto de Nessel ficará fechado durante três semanas, informou na segunda-feira a câmara municipal, depois de mergulhadores terem encontrado pedras do velho cais no canal.",
    "Os pescadores podem utilizar o porto vizinho de Ost até ao fim dos trabalhos, e a câmara paga as despesas da viagem.",
    "É a primeira vez desde a tempestade de 1987 que nenhum navio pode entrar no porto, e o barco para as ilhas também parte de Ost.",
    "O capitão do barco disse que os passageiros precisam de mais uma hora e que a maioria o aceitou com bom humor.",
  ],
};

/** A page of a site: menu, banner, article, links, footer. `extra` goes below the article. */
export function article(language, title, paragraphs, { extra = "", head = "", declared = language } = {}) {
  const { menu, cookies, footer, more } = frame[language];
  const links = menu.map((name, i) => `<li><a href="/${i}">${name}</a></li>`).join("");
  return `<!doctype html><html lang="${declared}"><head><meta charset="utf-8"><title>${title} | The Site</title><meta property="og:title" content="${title}">${head}</head><body>
<header><div class="logo">The Site</div><nav><ul>${links}</ul></nav></header>
<div class="cookie-banner" role="dialog"><p>${cookies}</p><button>OK</button></div>
<main><article><h1>${title}</h1>${paragraphs.map((p) => `<p>${p}</p>`).join("\n")}</article></main>
<aside class="related sidebar"><ul><li><a href="/more">${more}</a></li></ul></aside>${extra}
<footer class="footer"><p>${footer}</p></footer></body></html>`;
}

export const sites = {
  "alfa/harbour": article("en", "Harbour of Nessel closed", story.en),
  "bravo/news": article("en", "Stones in the channel", story.en2),
  "charlie/puerto": article("es", "Cerrado el puerto de Nessel", story.es),
  "delta/port": article("fr", "Le port de Nessel est fermé", story.fr),
  "echo/porto": article("pt", "Porto de Nessel fechado", story.pt),
};
