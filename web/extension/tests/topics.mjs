// Self-written examples, by which the thresholds of src/work were chosen:
// pages of ten topics in four languages, two of them about harbours, and pairs
// of sentences.

import { story } from "./pages.mjs";

const page = (topic, title, ...lead) => ({ topic, title, lead });

export const pages = [
  page("flood", "Sea wall at Harrow Bay breaks in winter storm", "The sea wall at Harrow Bay gave way early on Tuesday, and water filled the lower town within an hour.", "About 1,200 people left their homes, and nobody was seriously hurt.", "Engineers had warned of cracks in the wall in spring."),
  page("flood", "Harrow Bay: families wait to go home", "Families who fled the flood in Harrow Bay spent a second night in the school hall.", "The mayor said that the lower town would stay closed until the wall was made safe.", "Pumps were brought in from the county."),
  page("flood", "El mar rompe el muro de Harrow Bay", "El muro que protege Harrow Bay del mar se rompió el martes de madrugada y el agua inundó la parte baja del pueblo.", "Unas 1200 personas dejaron sus casas.", "Los ingenieros habían avisado de grietas en primavera."),
  page("flood", "Inondation à Harrow Bay : la digue a cédé", "La digue de Harrow Bay a cédé dans la nuit de mardi et la ville basse a été inondée en une heure.", "Quelque 1 200 habitants ont quitté leur maison.", "Des fissures avaient été signalées au printemps."),
  page("flood", "Muro do mar cede em Harrow Bay", "O muro que protege Harrow Bay do mar cedeu na madrugada de terça e a água inundou a parte baixa da vila.", "Cerca de 1200 pessoas deixaram as suas casas.", "Os engenheiros tinham avisado de fendas na primavera."),
  page("bread", "How to bake sourdough bread at home", "Feed your starter the evening before and let it rise until it bubbles.", "Mix flour, water and salt, and fold the dough every half hour.", "Bake the loaf in a hot pot with the lid on."),
  page("bread", "Pan de masa madre paso a paso", "Alimente la masa madre la noche anterior y déjela crecer hasta que burbujee.", "Mezcle harina, agua y sal y pliegue la masa cada media hora.", "Hornee el pan en una olla caliente con tapa."),
  page("bread", "Réussir son pain au levain", "Nourrissez le levain la veille et laissez-le gonfler.", "Mélangez la farine, l’eau et le sel, puis pliez la pâte toutes les demi-heures.", "Cuisez le pain dans une cocotte brûlante."),
  page("bread", "Ten mistakes people make with their first sourdough loaf", "Most flat loaves come from a starter that was not ready.", "Weigh the flour and the water, and do not rush the dough.", "An oven that is too cold leaves the bread wet."),
  page("telescope", "New telescope sees its first light", "The telescope on Mount Ilara took its first picture of the sky on Sunday.", "Astronomers hope to find planets of other stars with its ten-metre mirror.", "It cost 900 million and took twelve years to build."),
  page("telescope", "Novo telescópio vê a primeira luz", "O telescópio do monte Ilara fez no domingo a sua primeira imagem do céu.", "Os astrónomos esperam encontrar planetas de outras estrelas com o espelho de dez metros.", "Custou 900 milhões e demorou doze anos a construir."),
  page("telescope", "Première lumière pour un télescope géant", "Le télescope du mont Ilara a pris dimanche sa première image du ciel.", "Les astronomes espèrent découvrir des planètes autour d’autres étoiles grâce à son miroir de dix mètres."),
  page("cup", "Rovers win the cup after penalties", "Rovers beat United on penalties to win the cup for the first time in forty years.", "The goalkeeper saved two shots in front of 60,000 fans.", "The coach called it the best night of his life."),
  page("cup", "El Rovers gana la copa en los penaltis", "El Rovers venció al United en los penaltis y ganó la copa por primera vez en cuarenta años.", "El portero paró dos tiros ante 60.000 aficionados."),
  page("rates", "Central bank raises interest rates again", "The central bank raised its main rate by a quarter of a point to slow prices.", "Mortgages will cost more from next month.", "Economists expect one more step this year."),
  page("rates", "Banco central volta a subir os juros", "O banco central subiu a taxa principal em um quarto de ponto para travar os preços.", "As prestações das casas vão aumentar no próximo mês.", "Os economistas esperam mais uma subida este ano."),
  page("rates", "La banque centrale relève encore ses taux", "La banque centrale a relevé son taux directeur d’un quart de point pour freiner les prix.", "Les crédits immobiliers coûteront plus cher dès le mois prochain."),
  page("phone", "Review: the Lumo 5 phone has a battery that lasts", "The Lumo 5 ran for two days in our test and charges in forty minutes.", "Its camera is weak at night.", "At 400 it is the phone that we would buy."),
  page("phone", "Lumo 5 against Vantage 9: which phone should you buy?", "Both phones take good pictures by day.", "The Lumo 5 has the longer battery, the Vantage 9 the brighter screen and the better camera at night."),
  page("quake", "Earthquake shakes the island of Toral", "An earthquake of magnitude 6.1 shook the island of Toral on Monday morning.", "Roofs fell in two villages and the road to the harbour is blocked.", "Rescue teams are on their way."),
  page("quake", "Un terremoto sacude la isla de Toral", "Un terremoto de magnitud 6,1 sacudió el lunes por la mañana la isla de Toral.", "En dos pueblos cayeron tejados y la carretera al puerto está cortada.", "Los equipos de rescate están en camino."),
  page("closure", "Harbour of Nessel closed", ...story.en),
  page("closure", "Stones in the channel", ...story.en2),
  page("closure", "Cerrado el puerto de Nessel", ...story.es),
  page("closure", "Le port de Nessel est fermé", ...story.fr),
  page("closure", "Porto de Nessel fechado", ...story.pt),
  page("map", "Array.prototype.map() reference", "The map method creates a new array with the results of calling a function on every element.", "The function gets the element, its index and the array.", "It does not change the array."),
  page("proxy", "Configuring the reverse proxy", "Name the upstream servers in the configuration file and reload the proxy.", "Timeouts are in seconds.", "A health check every ten seconds takes a broken server out."),
];

/** Two sentences that say the same. */
export const same = [
  ["About 1,200 people left their homes.", "Unas 1200 personas dejaron sus casas."],
  ["About 1,200 people left their homes.", "Some 1,200 residents were evacuated from their houses."],
  ["The sea wall at Harrow Bay gave way early on Tuesday.", "La digue de Harrow Bay a cédé mardi avant l’aube."],
  ["Engineers had warned of cracks in the wall in spring.", "Cracks in the wall had been reported by engineers last spring."],
  ["The mayor said the lower town would stay closed until the wall was safe.", "O presidente da câmara disse que a parte baixa ficará fechada até o muro estar seguro."],
  ["The central bank raised its main rate by a quarter of a point.", "O banco central subiu a taxa principal em um quarto de ponto."],
  ["Two fishing boats sank in the harbour.", "Dos barcos de pesca se hundieron en el puerto."],
  ["Repairs will cost eleven million.", "The work on the wall is expected to cost 11 million."],
];

/** Two sentences about the same event that say different things. */
export const different = [
  ["About 1,200 people left their homes.", "Two fishing boats sank in the harbour."],
  ["About 1,200 people left their homes.", "Families spent a second night in the school hall."],
  ["Engineers had warned of cracks in the wall in spring.", "Repairs will cost eleven million."],
  ["The sea wall at Harrow Bay gave way early on Tuesday.", "The wall at Harrow Bay was built in 1931."],
  ["The sea wall at Harrow Bay gave way early on Tuesday.", "Repairs of the wall will cost eleven million."],
  ["The mayor said the lower town would stay closed until the wall was safe.", "The mayor asked the government for money."],
  ["Pumps were brought in from the county.", "Dos barcos de pesca se hundieron en el puerto."],
  ["The storm had winds of 130 km an hour.", "O muro tinha fendas desde a primavera."],
  ["School is closed until Friday.", "The lower town is closed to cars."],
  ["Insurers have counted 340 houses.", "About 1,200 people left their homes."],
];
